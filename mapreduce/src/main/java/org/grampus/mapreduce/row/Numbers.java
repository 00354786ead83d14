package org.grampus.mapreduce.row;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/** Numbers and truth values of text: what downloads take, and nothing more. */
final class Numbers {
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]++");

  /**
   * Possessive: a long text that is no number is looked at once, and not from each of its digits.
   */
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]++\\.?[0-9]*+|\\.[0-9]++)([eE][+-]?[0-9]{1,9}+)?");

  private static final Set<String> WORDS = Set.of("NaN", "Infinity", "+Infinity", "-Infinity");

  private static final String DOUBLE = "double";
  private static final String FLOAT = "float";

  /** The most characters of a decimal text that keeps all its digits as a normal double. */
  private static final int DOUBLE_DIGITS = 15;

  private static final int FLOAT_DIGITS = 6;

  private Numbers() {}

  private static BadValueException no(Object value, String type) {
    return new BadValueException(TextForm.shown(value) + " is no " + type);
  }

  private static BadValueException tooMany(Object value, String type) {
    return new BadValueException(TextForm.shown(value) + " has more digits than a " + type);
  }

  /** A whole number of at most that number of bits; of a number that has no fraction too. */
  static long integer(Object value, int bits, String type) throws BadValueException {
    long number = value instanceof Long whole ? whole : parsedInteger(value, type);
    int unused = Long.SIZE - bits;
    if (number << unused >> unused != number) {
      throw no(value, type);
    }
    return number;
  }

  private static long parsedInteger(Object value, String type) throws BadValueException {
    try {
      if (value instanceof BigDecimal decimal) {
        return TextForm.requireText(decimal).longValueExact();
      }
      String text = TextForm.of(value);
      if (INTEGER.matcher(text).matches()) {
        return Long.parseLong(text);
      }
      if (DECIMAL.matcher(text).matches()) {
        return DecimalText.parse(text)
            .orElseThrow(() -> no(value, type))
            .longValueExact(); // such as 7.0
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw no(value, type); // it is out of range, or has a fraction
    }
    throw no(value, type);
  }

  /** The same text, which must be that of a whole number without a point. */
  static String requireInteger(String text, int bits, String type) throws BadValueException {
    if (!INTEGER.matcher(text).matches()) {
      throw no(text, type);
    }
    integer(text, bits, type);
    return text;
  }

  /** Looks whether a text is that of a number that a double can be near to. */
  static void requireDouble(Object value) throws BadValueException {
    if (!(value instanceof Double) && !(value instanceof Float)) {
      nearest(TextForm.of(value), Double::parseDouble, DOUBLE);
    }
  }

  /** A double that has all digits of the value. */
  static double ofDouble(Object value) throws BadValueException {
    if (value instanceof Double number) {
      return number;
    }
    if (value instanceof Float number) {
      return number;
    }
    String text = TextForm.of(value);
    double number = nearest(text, Double::parseDouble, DOUBLE);
    if (text.length() > DOUBLE_DIGITS || Math.abs(number) < Double.MIN_NORMAL) {
      requireDigits(value, number, DOUBLE);
    }
    return number;
  }

  /** A float that has all digits of the value; a double only if it is one as well. */
  static float ofFloat(Object value) throws BadValueException {
    if (value instanceof Float number) {
      return number;
    }
    if (value instanceof Double number) {
      float narrow = number.floatValue();
      if (Double.compare(narrow, number) == 0) {
        return narrow;
      }
      throw no(value, FLOAT);
    }
    String text = TextForm.of(value);
    float number = (float) nearest(text, Float::parseFloat, FLOAT);
    if (text.length() > FLOAT_DIGITS || Math.abs(number) < Float.MIN_NORMAL) {
      requireDigits(value, number, FLOAT);
    }
    return number;
  }

  /** A number that is too large is none. */
  private static double nearest(String text, ToDoubleFunction<String> parser, String type)
      throws BadValueException {
    double number = isFloating(text) ? parser.applyAsDouble(text) : Double.NaN;
    if (Double.isFinite(number) || WORDS.contains(text)) {
      return number;
    }
    throw no(text, type);
  }

  /**
   * Looks whether a number is that of a text up to the text's last digit. So 0.1 is a double,
   * though it has no end in binary digits, and 9007199254740993 is none: its last digit is lost.
   */
  private static void requireDigits(Object value, double number, String type)
      throws BadValueException {
    if (!Double.isFinite(number)) {
      return;
    }
    String text = TextForm.of(value);
    BigDecimal exact = DecimalText.parse(text).orElseThrow(() -> tooMany(text, type));
    BigDecimal nearest = new BigDecimal(number);
    boolean has =
        number == 0
            ? exact.signum() == 0
            : exact.subtract(nearest).abs().compareTo(lastDigit(exact)) < 0;
    boolean isText = value instanceof String || value instanceof byte[];
    if (!has && !(isText && isPrinted(exact, nearest))) {
      throw tooMany(text, type);
    }
  }

  /**
   * Whether a number, printed with the digits of a text and zeros up to the point, is the text. So
   * 969583900.0 is the float 969583872, as downloads write it.
   */
  private static boolean isPrinted(BigDecimal text, BigDecimal number) {
    int digits = text.stripTrailingZeros().precision();
    return number.round(new MathContext(digits, RoundingMode.HALF_EVEN)).compareTo(text) == 0;
  }

  /** One in the place of a number's last digit; zeros behind the point are none. */
  private static BigDecimal lastDigit(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    boolean isWhole = number.scale() >= 0 && stripped.scale() <= 0;
    return isWhole ? BigDecimal.ONE : stripped.ulp();
  }

  private static boolean isFloating(String text) {
    return WORDS.contains(text) || DECIMAL.matcher(text).matches();
  }

  static boolean ofBoolean(Object value) throws BadValueException {
    if (value instanceof Boolean truth) {
      return truth;
    }
    String text = TextForm.of(value);
    if (text.equals("1") || text.equalsIgnoreCase("true")) {
      return true;
    }
    if (text.equals("0") || text.equalsIgnoreCase("false")) {
      return false;
    }
    throw no(value, "boolean");
  }

  /** Looks whether a number fits into a decimal; nothing is rounded. */
  static void requireDecimal(Object value, int precision, int scale) throws BadValueException {
    String type = "decimal(" + precision + "," + scale + ")";
    if (!(value instanceof BigDecimal) && !DECIMAL.matcher(TextForm.of(value)).matches()) {
      throw no(value, type);
    }
    BigDecimal exact =
        value instanceof BigDecimal decimal
            ? TextForm.requireText(decimal)
            : DecimalText.parse(TextForm.of(value)).orElseThrow(() -> tooMany(value, type));
    BigDecimal number = exact.stripTrailingZeros();
    long whole = (long) number.precision() - number.scale();
    if (number.scale() > scale) {
      throw new BadValueException(
          TextForm.shown(value) + " has more digits behind the point than a " + type);
    }
    if (number.signum() != 0 && whole > precision - scale) {
      throw tooMany(value, type);
    }
  }
}
