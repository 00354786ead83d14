package org.grampus.spark.filter;

import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.grampus.spark.mapping.ColumnType;
import org.grampus.spark.mapping.Kind;
import org.grampus.spark.mapping.Values;

/**
 * The bytes of the values that a comparison is true of. The order of bytes is that of values for
 * bytes and text; of signed numbers it has the negative ones behind the others; of floating point
 * it has them backwards, so that only equality is known.
 */
final class ValueRanges {
  /** Negative numbers begin here. */
  private static final byte[] SIGN = {(byte) 0x80};

  private static final long MICROS_PER_MILLI = 1000;

  private ValueRanges() {}

  /** Values that are equal to one; null where bytes do not say it. */
  static ByteRanges equal(ColumnType type, Object value) {
    return switch (type.kind()) {
      case BYTES, STRING -> ByteRanges.point(Values.encode(type, value));
      case BYTE, SHORT, INT, LONG, TIMESTAMP -> {
        ByteRanges least = atLeast(type, value);
        yield least.and(above(type, value).complement());
      }
      case BOOLEAN -> truth((Boolean) value);
      case FLOAT -> number((Float) value, type, value);
      case DOUBLE -> number((Double) value, type, value);
      default -> null;
    };
  }

  /** 0.0 is equal to -0.0, and NaN has many forms. */
  private static ByteRanges number(double number, ColumnType type, Object value) {
    boolean one = number != 0 && !Double.isNaN(number);
    return one ? ByteRanges.point(Values.encode(type, value)) : null;
  }

  private static ByteRanges truth(boolean wanted) {
    ByteRanges no = ByteRanges.point(new byte[] {0});
    return wanted ? no.complement() : no;
  }

  /** Values that are not below one; null where bytes do not say it. */
  static ByteRanges atLeast(ColumnType type, Object value) {
    return switch (type.kind()) {
      case BYTES, STRING -> ByteRanges.from(Values.encode(type, value));
      case BYTE, SHORT, INT, LONG -> fromNumber(type, ((Number) value).longValue());
      case TIMESTAMP -> fromNumber(type, roundedUp((Long) value));
      default -> null;
    };
  }

  /** Milliseconds that are not before a time in microseconds. */
  private static long roundedUp(long micros) {
    long whole = Math.floorDiv(micros, MICROS_PER_MILLI);
    return Math.floorMod(micros, MICROS_PER_MILLI) == 0 ? whole : whole + 1;
  }

  /** Values that are above one; null where bytes do not say it. */
  static ByteRanges above(ColumnType type, Object value) {
    return switch (type.kind()) {
      case BYTES, STRING -> ByteRanges.from(ByteRanges.after(Values.encode(type, value)));
      case BYTE, SHORT, INT, LONG -> fromNext(type, ((Number) value).longValue());
      case TIMESTAMP -> fromNext(type, Math.floorDiv((Long) value, MICROS_PER_MILLI));
      default -> null;
    };
  }

  private static ByteRanges fromNext(ColumnType type, long number) {
    long largest = -1L >>> (Long.SIZE - Byte.SIZE * type.kind().bytes() + 1);
    return number >= largest ? ByteRanges.NONE : fromNumber(type, number + 1);
  }

  /** Numbers from one on, in a form of a fixed number of bytes. */
  private static ByteRanges fromNumber(ColumnType type, long number) {
    ByteRanges behind = ByteRanges.from(bytes(number, type.kind().bytes()));
    ByteRanges negative = ByteRanges.from(SIGN);
    return number < 0 ? behind.or(negative.complement()) : behind.and(negative.complement());
  }

  private static byte[] bytes(long number, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (number >> (Byte.SIZE * (count - 1 - i)));
    }
    return bytes;
  }

  /** Texts that begin with one; null where bytes do not say it. */
  static ByteRanges beginning(ColumnType type, Object prefix) {
    return type.kind() == Kind.STRING ? ByteRanges.prefix(Values.encode(type, prefix)) : null;
  }

  /** Values that are not null, where a cell may be there and null all the same. */
  static ByteRanges notNull(ColumnType type) {
    return type.kind().isParsed() ? ByteRanges.point(new byte[0]).complement() : ByteRanges.ALL;
  }

  /** Whether a literal has the form that the type's values have. */
  static boolean isOf(ColumnType type, Object value) {
    return switch (type.kind()) {
      case BYTES -> value instanceof byte[];
      case STRING, STRING_REPLACED -> value instanceof UTF8String;
      case BYTE -> value instanceof Byte;
      case SHORT -> value instanceof Short;
      case INT -> value instanceof Integer;
      case LONG, TIMESTAMP, LONG_OF_TEXT -> value instanceof Long;
      case FLOAT -> value instanceof Float;
      case DOUBLE, DOUBLE_OF_TEXT -> value instanceof Double;
      case BOOLEAN, BOOLEAN_OF_TEXT -> value instanceof Boolean;
      case DECIMAL -> value instanceof Decimal;
    };
  }
}
