package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos.Comparator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.CompareFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.grampus.compat.EngineBuffers;

/** Writes HBase's filter messages as the engine's filter tree (docs/jni.md). One thread. */
public final class FilterTreeWriter {
  /** Nesting that the engine accepts. */
  static final int MAX_DEPTH = 32;

  private final ByteBuf out;
  private int depth;

  private FilterTreeWriter(ByteBuf out) {
    this.out = out;
  }

  /**
   * Appends a filter.
   *
   * @return whether it decides about whole rows, which forbids partial rows
   * @throws DoNotRetryIOException when the engine does not have the filter, or its fields are wrong
   */
  public static boolean write(Filter filter, ByteBuf out) throws IOException {
    return new FilterTreeWriter(out).write(filter);
  }

  /** Appends a nested filter. */
  boolean write(Filter filter) throws IOException {
    FilterAdapter adapter = FilterRegistry.find(filter.getName());
    if (adapter == null) {
      throw new DoNotRetryIOException("Unknown filter class " + filter.getName());
    }
    if (++depth > MAX_DEPTH) {
      throw new DoNotRetryIOException("Filters are nested deeper than " + MAX_DEPTH + " levels");
    }
    try {
      return adapter.write(filter.getSerializedFilter(), this);
    } catch (InvalidProtocolBufferException e) {
      throw new DoNotRetryIOException("Malformed filter " + filter.getName(), e);
    } finally {
      depth--;
    }
  }

  /** Appends a tag; returns the buffer for the fields. */
  ByteBuf tag(int tag) {
    return out.writeByte(tag);
  }

  /** The buffer for the fields. */
  ByteBuf out() {
    return out;
  }

  /** Appends operator and comparator. */
  void compare(CompareFilter filter) throws IOException {
    out.writeByte(filter.getCompareOp().getNumber());
    if (filter.hasComparator()) {
      ComparatorWriter.write(filter.getComparator(), out);
    } else {
      out.writeByte(ComparatorWriter.NONE);
    }
  }

  /** Appends operator and comparator. */
  void compare(CompareType op, Comparator comparator) throws IOException {
    out.writeByte(op.getNumber());
    ComparatorWriter.write(comparator, out);
  }

  /** Appends a count and byte strings in unsigned order, each once. */
  void sortedSet(List<ByteString> values) {
    TreeSet<ByteString> sorted = new TreeSet<>(ByteString.unsignedLexicographicalComparator());
    sorted.addAll(values);
    out.writeIntLE(sorted.size());
    for (ByteString value : sorted) {
      EngineBuffers.bytes(out, value);
    }
  }
}
