package org.grampus.spark.mapping;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.grampus.mapreduce.row.DecimalText;

/**
 * Values between their bytes in a table and Spark's internal form, as the engine reads them. What
 * is wrong with a value is the end of a sentence that the caller begins.
 */
public final class Values {
  private static final int MICROS_PER_MILLI = 1000;
  private static final Set<String> WORDS = Set.of("NaN", "Infinity", "+Infinity", "-Infinity");
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]++");

  /**
   * Possessive: a long text that is no number is looked at once, and not from each of its digits.
   */
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]++\\.?[0-9]*+|\\.[0-9]++)(?:[eE][+-]?[0-9]++)?");

  private Values() {}

  /**
   * The value that bytes are.
   *
   * @return in Spark's internal form; null for the empty value of a type that is parsed from text
   * @throws IllegalArgumentException with the end of a sentence when they are not of the type
   */
  public static Object decode(ColumnType type, byte[] value) {
    Kind kind = type.kind();
    if (kind.isParsed()) {
      return value.length == 0 ? null : parsed(type, value);
    }
    if (kind.bytes() > 0 && value.length != kind.bytes()) {
      throw new IllegalArgumentException(
          value.length + " bytes are no " + type + ", which has " + kind.bytes());
    }
    return switch (kind) {
      case BYTES -> value;
      case STRING -> text(value);
      case STRING_REPLACED -> UTF8String.fromString(new String(value, StandardCharsets.UTF_8));
      case BYTE -> value[0];
      case SHORT -> Bytes.toShort(value);
      case INT -> Bytes.toInt(value);
      case LONG -> Bytes.toLong(value);
      case FLOAT -> Bytes.toFloat(value);
      case DOUBLE -> Bytes.toDouble(value);
      case BOOLEAN -> value[0] != 0;
      case TIMESTAMP -> micros(Bytes.toLong(value));
      default -> throw new IllegalStateException(type + " is parsed from text");
    };
  }

  /** Microseconds, which Spark counts in. */
  public static long micros(long millis) {
    try {
      return Math.multiplyExact(millis, MICROS_PER_MILLI);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(millis + " ms are out of the range of Spark's times", e);
    }
  }

  private static UTF8String text(byte[] value) {
    for (byte b : value) {
      if (b < 0) {
        requireUtf8(value);
        break;
      }
    }
    return UTF8String.fromBytes(value);
  }

  private static void requireUtf8(byte[] value) {
    try {
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(value));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(Bytes.toStringBinary(value) + " is no UTF-8", e);
    }
  }

  private static Object parsed(ColumnType type, byte[] value) {
    String text = new String(value, StandardCharsets.UTF_8);
    try {
      return switch (type.kind()) {
        case LONG_OF_TEXT -> Long.valueOf(matching(INTEGER, text));
        case DOUBLE_OF_TEXT -> doubleOf(text);
        case BOOLEAN_OF_TEXT -> booleanOf(text);
        default -> decimal(type, text);
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(Bytes.toStringBinary(value) + " is no " + type, e);
    }
  }

  private static String matching(Pattern pattern, String text) {
    if (!pattern.matcher(text).matches()) {
      throw new NumberFormatException(text);
    }
    return text;
  }

  private static double doubleOf(String text) {
    if (WORDS.contains(text)) {
      return Double.parseDouble(text);
    }
    double number = Double.parseDouble(matching(NUMBER, text));
    if (Double.isInfinite(number)) {
      throw new NumberFormatException(text + " is too large");
    }
    return number;
  }

  private static boolean booleanOf(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw new NumberFormatException(text);
    };
  }

  private static Decimal decimal(ColumnType type, String text) {
    BigDecimal number =
        DecimalText.parse(matching(NUMBER, text))
            .map(BigDecimal::stripTrailingZeros)
            .filter(parsed -> fits(parsed, type))
            .orElseThrow(
                () -> new IllegalArgumentException(text + " has more digits than a " + type));
    return Decimal.apply(number.setScale(type.scale()), type.precision(), type.scale());
  }

  private static boolean fits(BigDecimal number, ColumnType type) {
    long whole = (long) number.precision() - number.scale();
    return number.signum() == 0
        || (number.scale() <= type.scale() && whole <= type.precision() - type.scale());
  }

  /**
   * The bytes of a value.
   *
   * @param value in Spark's internal form, not null
   * @throws IllegalArgumentException when a time has more than milliseconds
   */
  public static byte[] encode(ColumnType type, Object value) {
    return switch (type.kind()) {
      case BYTES -> (byte[]) value;
      case STRING, STRING_REPLACED -> ((UTF8String) value).getBytes();
      case BYTE -> new byte[] {(Byte) value};
      case SHORT -> Bytes.toBytes((Short) value);
      case INT -> Bytes.toBytes((Integer) value);
      case LONG -> Bytes.toBytes((Long) value);
      case FLOAT -> Bytes.toBytes((Float) value);
      case DOUBLE -> Bytes.toBytes((Double) value);
      case BOOLEAN -> Bytes.toBytes((Boolean) value);
      case TIMESTAMP -> Bytes.toBytes(millis((Long) value));
      case LONG_OF_TEXT, DOUBLE_OF_TEXT, BOOLEAN_OF_TEXT -> Bytes.toBytes(value.toString());
      case DECIMAL -> Bytes.toBytes(((Decimal) value).toJavaBigDecimal().toPlainString());
    };
  }

  /**
   * Milliseconds, which a table counts in.
   *
   * @throws IllegalArgumentException when a part of one would be lost
   */
  public static long millis(long micros) {
    if (micros % MICROS_PER_MILLI != 0) {
      throw new IllegalArgumentException(
          ChronoUnit.MICROS.addTo(Instant.EPOCH, micros)
              + " has more than milliseconds, which a table's times have not; write"
              + " date_trunc('millisecond', ...) of it");
    }
    return micros / MICROS_PER_MILLI;
  }
}
