package org.grampus.mapreduce.row;

import java.math.BigDecimal;
import java.util.Set;
import java.util.regex.Pattern;

/** Numbers and truth values of text: what downloads take, and nothing more. */
final class Numbers {
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,9})?");
  private static final Set<String> WORDS = Set.of("NaN", "Infinity", "+Infinity", "-Infinity");

  private Numbers() {}

  private static BadValueException no(Object value, String type) {
    return new BadValueException(TextForm.shown(value) + " is no " + type);
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
        return decimal.longValueExact();
      }
      String text = TextForm.of(value);
      if (INTEGER.matcher(text).matches()) {
        return Long.parseLong(text);
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw no(value, type); // it is out of range, or has a fraction
    }
    throw no(value, type);
  }

  /** A double; a text that is too large for one is none. */
  static double ofDouble(Object value) throws BadValueException {
    if (value instanceof Double number) {
      return number;
    }
    if (value instanceof Float number) {
      return number;
    }
    String text = TextForm.of(value);
    double number = isFloating(text) ? Double.parseDouble(text) : Double.NaN;
    if (Double.isFinite(number) || WORDS.contains(text)) {
      return number;
    }
    throw no(value, "double");
  }

  /** A float; a double only if it is one as well. */
  static float ofFloat(Object value) throws BadValueException {
    if (value instanceof Float number) {
      return number;
    }
    if (value instanceof Double number) {
      float narrow = number.floatValue();
      if (Double.compare(narrow, number) == 0) {
        return narrow;
      }
      throw no(value, "float");
    }
    String text = TextForm.of(value);
    float number = isFloating(text) ? Float.parseFloat(text) : Float.NaN;
    if (Float.isFinite(number) || WORDS.contains(text)) {
      return number;
    }
    throw no(value, "float");
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
    BigDecimal number =
        (value instanceof BigDecimal decimal ? decimal : new BigDecimal(TextForm.of(value)))
            .stripTrailingZeros();
    long whole = (long) number.precision() - number.scale();
    if (number.scale() > scale) {
      throw new BadValueException(
          TextForm.shown(value) + " has more digits behind the point than a " + type);
    }
    if (number.signum() != 0 && whole > precision - scale) {
      throw new BadValueException(TextForm.shown(value) + " has more digits than a " + type);
    }
  }
}
