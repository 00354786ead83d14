package org.grampus.compat.read;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilyTimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TimeRange;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.compat.EngineBuffers;
import org.grampus.compat.filter.FilterTreeWriter;

/** Writes the parts of a read spec in their order (docs/jni.md). One thread; stateless. */
final class ReadSpecWriter {
  static final int NO_LIMIT = -1;
  private static final int VERSION = 1;
  private static final int FLAGS_OFFSET = 4;
  private static final Comparator<ByteString> BYTE_ORDER =
      ByteString.unsignedLexicographicalComparator();

  private ReadSpecWriter() {}

  static void header(ByteBuf out, int flags, ByteString startRow, ByteString stopRow) {
    out.writeByte(VERSION);
    out.writeZero(FLAGS_OFFSET - 1);
    out.writeIntLE(flags);
    EngineBuffers.bytes(out, startRow);
    EngineBuffers.bytes(out, stopRow);
  }

  /** Adds flags to a spec that is written from the start of its buffer. */
  static void addFlags(ByteBuf out, int flags) {
    out.setIntLE(FLAGS_OFFSET, out.getIntLE(FLAGS_OFFSET) | flags);
  }

  /** Takes flags out of such a spec. */
  static void removeFlags(ByteBuf out, int flags) {
    out.setIntLE(FLAGS_OFFSET, out.getIntLE(FLAGS_OFFSET) & ~flags);
  }

  static void limits(ByteBuf out, int maxVersions, int storeLimit, int storeOffset, int batch) {
    out.writeIntLE(maxVersions);
    out.writeIntLE(storeLimit);
    out.writeIntLE(storeOffset);
    out.writeIntLE(batch);
  }

  static void readPoint(ByteBuf out, long readPoint) {
    out.writeLongLE(readPoint);
  }

  /** Both ends; a bound that is absent is open, as gohbase's empty message means it. */
  static void timeRange(ByteBuf out, TimeRange range) throws DoNotRetryIOException {
    long from = range.hasFrom() ? range.getFrom() : 0;
    long to = range.hasTo() ? range.getTo() : Long.MAX_VALUE;
    if (from < 0 || to < from) {
      throw new DoNotRetryIOException("Time range [" + from + ", " + to + ") is not possible");
    }
    out.writeLongLE(from);
    out.writeLongLE(to);
  }

  /**
   * Writes the families and their columns; none means all.
   *
   * @param all the region's families, needed only when there are time ranges but no columns
   */
  static void columns(
      ByteBuf out, List<Column> columns, List<ColumnFamilyTimeRange> ranges, List<byte[]> all)
      throws DoNotRetryIOException {
    if (columns.isEmpty() && !ranges.isEmpty()) {
      allFamilies(out, ranges, all);
    } else if (columns.size() > 1) {
      mergedColumns(out, columns, ranges);
    } else {
      out.writeIntLE(columns.size());
      for (Column column : columns) {
        family(out, column.getFamily(), ranges);
        qualifiers(out, column.getQualifierList());
      }
    }
  }

  private static void allFamilies(
      ByteBuf out, List<ColumnFamilyTimeRange> ranges, List<byte[]> families)
      throws DoNotRetryIOException {
    out.writeIntLE(families.size());
    for (byte[] name : families) {
      family(out, UnsafeByteOperations.unsafeWrap(name), ranges);
      qualifiers(out, List.of());
    }
  }

  /** As HBase adds columns one by one: a family without columns replaces those before it. */
  private static void mergedColumns(
      ByteBuf out, List<Column> columns, List<ColumnFamilyTimeRange> ranges)
      throws DoNotRetryIOException {
    TreeMap<ByteString, List<ByteString>> families = new TreeMap<>(BYTE_ORDER);
    for (Column column : columns) {
      List<ByteString> qualifiers =
          families.computeIfAbsent(column.getFamily(), name -> new ArrayList<>());
      if (column.getQualifierCount() == 0) {
        qualifiers.clear();
      }
      qualifiers.addAll(column.getQualifierList());
    }
    out.writeIntLE(families.size());
    for (var family : families.entrySet()) {
      family(out, family.getKey(), ranges);
      qualifiers(out, family.getValue());
    }
  }

  private static void family(ByteBuf out, ByteString name, List<ColumnFamilyTimeRange> ranges)
      throws DoNotRetryIOException {
    EngineBuffers.bytes(out, name);
    TimeRange range = null;
    for (ColumnFamilyTimeRange candidate : ranges) {
      range = candidate.getColumnFamily().equals(name) ? candidate.getTimeRange() : range;
    }
    EngineBuffers.flag(out, range != null);
    if (range != null) {
      timeRange(out, range);
    }
  }

  private static void qualifiers(ByteBuf out, List<ByteString> qualifiers) {
    EngineBuffers.flag(out, qualifiers.isEmpty());
    if (qualifiers.size() <= 1) {
      out.writeIntLE(qualifiers.size());
      for (ByteString qualifier : qualifiers) {
        EngineBuffers.bytes(out, qualifier);
      }
      return;
    }
    TreeSet<ByteString> sorted = new TreeSet<>(BYTE_ORDER);
    sorted.addAll(qualifiers);
    out.writeIntLE(sorted.size());
    for (ByteString qualifier : sorted) {
      EngineBuffers.bytes(out, qualifier);
    }
  }

  /** Writes no filter. */
  static void noFilter(ByteBuf out) {
    out.writeIntLE(0);
  }

  /** Writes a filter; returns whether it decides about whole rows. */
  static boolean filter(ByteBuf out, Filter filter) throws IOException {
    int start = EngineBuffers.beginBytes(out);
    boolean filtersRows = FilterTreeWriter.write(filter, out);
    EngineBuffers.endBytes(out, start);
    return filtersRows;
  }
}
