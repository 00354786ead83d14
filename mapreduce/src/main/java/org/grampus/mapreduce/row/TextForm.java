package org.grampus.mapreduce.row;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;

/** Values as text, and text as HBase prints it. */
final class TextForm {
  private static final int SHOWN_CHARACTERS = 64;

  /** Of a number that a file has in binary: 30,000 digits, of which nearly all must be zeros. */
  private static final int BITS_MAX = 100_000;

  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter().withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter LOCAL =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 3, 9, true)
          .toFormatter(Locale.ROOT);

  private TextForm() {}

  /**
   * The text of a value, of which one number has one text.
   *
   * @throws BadValueException when it is nested, bytes that are no UTF-8, or a number of very many
   *     digits
   */
  static String of(Object value) throws BadValueException {
    if (value instanceof String text) {
      return text;
    }
    if (value instanceof byte[] bytes) {
      return utf8(bytes);
    }
    if (value instanceof BigDecimal number) {
      return requireText(number).toPlainString();
    }
    if (value instanceof Instant time) {
      return time.truncatedTo(ChronoUnit.MILLIS).equals(time)
          ? MILLIS.format(time)
          : time.toString();
    }
    if (value instanceof LocalDateTime time) {
      return LOCAL.format(time);
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    throw new BadValueException("what is nested is no value");
  }

  /** The same number; the text of a longer one would take minutes, as all that computes with it. */
  static BigDecimal requireText(BigDecimal number) throws BadValueException {
    int bits = number.unscaledValue().bitLength();
    if (bits > BITS_MAX) {
      throw new BadValueException("a number of " + bits + " bits is longer than any that is taken");
    }
    return number;
  }

  static String utf8(byte[] bytes) throws BadValueException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BadValueException(shown(bytes) + " is no UTF-8");
    }
  }

  /** A value as a message shows it. */
  static String shown(Object value) {
    String text = value instanceof byte[] bytes ? Bytes.toStringBinary(bytes) : value.toString();
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= SHOWN_CHARACTERS
        ? "'" + line + "'"
        : "'" + line.substring(0, SHOWN_CHARACTERS) + "...' (" + text.length() + " characters)";
  }
}
