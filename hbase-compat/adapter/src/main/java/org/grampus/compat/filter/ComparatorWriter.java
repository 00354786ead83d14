package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos.Comparator;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.grampus.compat.EngineBuffers;
import org.grampus.engine.PatternCompiler;

/** HBase's comparators as the engine's. */
public final class ComparatorWriter {
  static final int NONE = 0;
  private static final int BINARY = 1;
  private static final int BINARY_PREFIX = 2;
  private static final int LONG = 3;
  private static final int BIG_DECIMAL = 4;
  private static final int BIT = 5;
  private static final int NULL = 6;
  private static final int SUBSTRING = 7;
  private static final int REGEX = 8;
  private static final int BINARY_COMPONENT = 9;

  private static final String PACKAGE = "org.apache.hadoop.hbase.filter.";

  private ComparatorWriter() {}

  /** Appends tag and fields. */
  public static void write(Comparator comparator, ByteBuf out) throws IOException {
    ByteString fields = comparator.getSerializedComparator();
    try {
      switch (simpleName(comparator)) {
        case "BinaryComparator" -> bytes(out, BINARY, comparable(fields));
        case "BinaryPrefixComparator" -> bytes(out, BINARY_PREFIX, comparable(fields));
        case "LongComparator" -> longValue(out, comparable(fields));
        case "BigDecimalComparator" -> bigDecimal(out, comparable(fields));
        case "BitComparator" -> bit(out, ComparatorProtos.BitComparator.parseFrom(fields));
        case "NullComparator" -> out.writeByte(NULL);
        case "SubstringComparator" -> substring(out, fields);
        case "RegexStringComparator" -> regex(out, fields);
        case "BinaryComponentComparator" -> component(out, fields);
        default -> throw unknown(comparator);
      }
    } catch (InvalidProtocolBufferException e) {
      throw new DoNotRetryIOException("Malformed comparator " + comparator.getName(), e);
    }
  }

  /**
   * The bytes of a comparator. Of the condition of a checkAndMutate HBase keeps nothing else,
   * whatever the class.
   */
  public static ByteString conditionValue(Comparator comparator) throws IOException {
    ByteString fields = comparator.getSerializedComparator();
    try {
      return switch (simpleName(comparator)) {
        case "BinaryComparator",
                "BinaryPrefixComparator",
                "LongComparator",
                "BigDecimalComparator",
                "BitComparator" ->
            comparable(fields);
        case "NullComparator" -> ByteString.EMPTY;
        case "SubstringComparator" -> ByteString.copyFromUtf8(substring(fields));
        case "RegexStringComparator" ->
            ComparatorProtos.RegexStringComparator.parseFrom(fields).getPatternBytes();
        case "BinaryComponentComparator" ->
            ComparatorProtos.BinaryComponentComparator.parseFrom(fields).getValue();
        default -> throw unknown(comparator);
      };
    } catch (InvalidProtocolBufferException e) {
      throw new DoNotRetryIOException("Malformed comparator " + comparator.getName(), e);
    }
  }

  private static String simpleName(Comparator comparator) {
    String name = comparator.getName();
    return name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : "";
  }

  private static DoNotRetryIOException unknown(Comparator comparator) {
    return new DoNotRetryIOException("Unknown comparator class " + comparator.getName());
  }

  /** All comparators that hold bytes keep them in field 1. */
  private static ByteString comparable(ByteString fields) throws InvalidProtocolBufferException {
    return ComparatorProtos.BinaryComparator.parseFrom(fields).getComparable().getValue();
  }

  private static void bytes(ByteBuf out, int tag, ByteString value) {
    out.writeByte(tag);
    EngineBuffers.bytes(out, value);
  }

  private static void longValue(ByteBuf out, ByteString value) throws DoNotRetryIOException {
    if (value.size() != Long.BYTES) {
      throw new DoNotRetryIOException("LongComparator of " + value.size() + " bytes");
    }
    out.writeByte(LONG);
    out.writeLongLE(value.asReadOnlyByteBuffer().getLong());
  }

  private static void bigDecimal(ByteBuf out, ByteString value) throws DoNotRetryIOException {
    if (value.size() <= Integer.BYTES) {
      throw new DoNotRetryIOException("BigDecimalComparator of " + value.size() + " bytes");
    }
    out.writeByte(BIG_DECIMAL);
    out.writeIntLE(value.asReadOnlyByteBuffer().getInt());
    EngineBuffers.bytes(out, value.substring(Integer.BYTES));
  }

  private static void bit(ByteBuf out, ComparatorProtos.BitComparator proto) {
    bytes(out, BIT, proto.getComparable().getValue());
    out.writeByte(proto.getBitwiseOp().getNumber());
  }

  private static String substring(ByteString fields) throws InvalidProtocolBufferException {
    return ComparatorProtos.SubstringComparator.parseFrom(fields)
        .getSubstr()
        .toLowerCase(Locale.ROOT);
  }

  private static void substring(ByteBuf out, ByteString fields)
      throws InvalidProtocolBufferException {
    out.writeByte(SUBSTRING);
    EngineBuffers.text(out, substring(fields));
  }

  private static void regex(ByteBuf out, ByteString fields) throws IOException {
    ComparatorProtos.RegexStringComparator proto =
        ComparatorProtos.RegexStringComparator.parseFrom(fields);
    int engine = proto.hasEngine() ? engine(proto.getEngine()) : PatternCompiler.JAVA;
    out.writeByte(REGEX);
    EngineBuffers.text(out, proto.getPattern());
    out.writeIntLE(proto.getPatternFlags());
    EngineBuffers.text(out, charset(proto.getCharset(), engine));
    out.writeByte(engine);
  }

  private static int engine(String name) throws DoNotRetryIOException {
    return switch (name) {
      case "JAVA" -> PatternCompiler.JAVA;
      case "JONI" -> PatternCompiler.JONI;
      default -> throw new DoNotRetryIOException("RegexStringComparator of engine " + name);
    };
  }

  /**
   * The charset's canonical name. HBase takes UTF-8 for none and for a name that no charset may
   * have, and refuses one that it does not know. Joni sees UTF-8 whatever the charset.
   */
  private static String charset(String name, int engine) throws DoNotRetryIOException {
    try {
      return name.isEmpty() || engine == PatternCompiler.JONI
          ? StandardCharsets.UTF_8.name()
          : Charset.forName(name).name();
    } catch (IllegalCharsetNameException e) {
      return StandardCharsets.UTF_8.name();
    } catch (UnsupportedCharsetException e) {
      throw new DoNotRetryIOException("RegexStringComparator of an unknown charset: " + name, e);
    }
  }

  private static void component(ByteBuf out, ByteString fields)
      throws InvalidProtocolBufferException {
    ComparatorProtos.BinaryComponentComparator proto =
        ComparatorProtos.BinaryComponentComparator.parseFrom(fields);
    bytes(out, BINARY_COMPONENT, proto.getValue());
    out.writeIntLE(proto.getOffset());
  }
}
