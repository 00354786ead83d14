package org.grampus.spark.mapping;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * What the bytes of a value mean. The kinds without "text" are those of HBase's {@code
 * Bytes.toBytes}; of those that are parsed from text an empty value is null.
 */
@SuppressWarnings("ImmutableEnumChecker") // types of Spark are not annotated as what they are
public enum Kind {
  BYTES("bytes", DataTypes.BinaryType, 0),
  STRING("string", DataTypes.StringType, 0),
  STRING_REPLACED("string(replace)", DataTypes.StringType, 0),
  BYTE("byte", DataTypes.ByteType, Byte.BYTES),
  SHORT("short", DataTypes.ShortType, Short.BYTES),
  INT("int", DataTypes.IntegerType, Integer.BYTES),
  LONG("long", DataTypes.LongType, Long.BYTES),
  FLOAT("float", DataTypes.FloatType, Float.BYTES),
  DOUBLE("double", DataTypes.DoubleType, Double.BYTES),
  BOOLEAN("boolean", DataTypes.BooleanType, 1),
  /** Milliseconds since 1970-01-01 UTC. */
  TIMESTAMP("timestamp", DataTypes.TimestampType, Long.BYTES),
  LONG_OF_TEXT("long(text)", DataTypes.LongType, 0),
  DOUBLE_OF_TEXT("double(text)", DataTypes.DoubleType, 0),
  BOOLEAN_OF_TEXT("boolean(text)", DataTypes.BooleanType, 0),
  /** A number as text, with a precision and a scale of its own. */
  DECIMAL("decimal", null, 0);

  final String text;
  final DataType type;
  final int bytes;

  Kind(String text, DataType type, int bytes) {
    this.text = text;
    this.type = type;
    this.bytes = bytes;
  }

  /** Whether a value is parsed from text, of which the empty one is null. */
  public boolean isParsed() {
    return this == LONG_OF_TEXT
        || this == DOUBLE_OF_TEXT
        || this == BOOLEAN_OF_TEXT
        || this == DECIMAL;
  }

  /** The number of bytes of every value; 0 where values differ in it. */
  public int bytes() {
    return bytes;
  }
}
