package org.grampus.mapreduce.row;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.files.PrintedBytes;

/**
 * What the bytes of a cell are of a value: the way back from a download's types
 * (docs/downloads.md).
 */
@FunctionalInterface
interface ColumnType {
  /**
   * The bytes of a value that is not null; null when the type takes it for null.
   *
   * @throws BadValueException when the value is not of the type
   */
  byte[] encode(Object value) throws BadValueException;

  /** Types of a fixed name. */
  Map<String, ColumnType> NAMED =
      Map.ofEntries(
          Map.entry("bytes", ColumnType::bytes),
          Map.entry("string", ColumnType::text),
          Map.entry("string(replace)", ColumnType::text),
          Map.entry("byte", value -> new byte[] {(byte) Numbers.integer(value, 8, "byte")}),
          Map.entry("short", value -> Bytes.toBytes((short) Numbers.integer(value, 16, "short"))),
          Map.entry("int", value -> Bytes.toBytes((int) Numbers.integer(value, 32, "int"))),
          Map.entry("long", value -> Bytes.toBytes(Numbers.integer(value, 64, "long"))),
          Map.entry(
              "float", value -> Bytes.toBytes(Float.floatToRawIntBits(Numbers.ofFloat(value)))),
          Map.entry(
              "double",
              value -> Bytes.toBytes(Double.doubleToRawLongBits(Numbers.ofDouble(value)))),
          Map.entry("boolean", value -> Bytes.toBytes(Numbers.ofBoolean(value))),
          Map.entry("long(text)", ColumnType::longText),
          Map.entry("double(text)", checked(Numbers::requireDouble)),
          Map.entry("boolean(text)", checked(Numbers::ofBoolean)));

  /** Points in time. */
  String TIMESTAMP = "timestamp";

  /** A decimal of text. */
  Pattern DECIMAL = Pattern.compile("decimal\\((\\d+),(\\d+)\\)");

  /**
   * The type of a name, as the engine has parsed it.
   *
   * @param times what times are, of a type that has them
   */
  static ColumnType of(String name, Times times) {
    if (name.equals(TIMESTAMP)) {
      return value -> Bytes.toBytes(times.millis(value));
    }
    ColumnType named = NAMED.get(name);
    if (named != null) {
      return named;
    }
    Matcher decimal = DECIMAL.matcher(name);
    if (!decimal.matches()) {
      throw new IllegalArgumentException("imports do not know the type " + name);
    }
    int precision = Integer.parseInt(decimal.group(1));
    int scale = Integer.parseInt(decimal.group(2));
    return checked(value -> Numbers.requireDecimal(value, precision, scale));
  }

  /** Looks whether a text is what it shall be. */
  @FunctionalInterface
  interface Check {
    /** Refuses it if it is not. */
    void require(Object value) throws BadValueException;
  }

  private static ColumnType checked(Check check) {
    return value -> {
      String text = TextForm.of(value);
      if (text.isEmpty()) {
        return null; // as downloads read the type
      }
      check.require(value);
      return utf8(text);
    };
  }

  /** A text of a number stays as it is, with its zeros and its sign. */
  private static byte[] longText(Object value) throws BadValueException {
    boolean isText = value instanceof String || value instanceof byte[];
    String text = TextForm.of(value);
    if (isText && text.isEmpty()) {
      return null; // as downloads read the type
    }
    return isText
        ? utf8(Numbers.requireInteger(text, Long.SIZE, "long"))
        : utf8(Long.toString(Numbers.integer(value, Long.SIZE, "long")));
  }

  private static byte[] bytes(Object value) throws BadValueException {
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    try {
      return PrintedBytes.parse(TextForm.of(value));
    } catch (IllegalArgumentException e) {
      throw new BadValueException(
          TextForm.shown(value) + " is no text of bytes: a backslash begins no \\xNN");
    }
  }

  private static byte[] text(Object value) throws BadValueException {
    return utf8(TextForm.of(value));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
