package org.grampus.mapreduce.row;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * Numbers of texts, however long these are. The time of {@link BigDecimal}'s own constructor grows
 * with the square of the digits, and no progress is made meanwhile: ten megabytes take minutes.
 */
public final class DecimalText {
  /**
   * The most digits of a value of any type, with zeros neither before nor behind them: a double can
   * need 767, a decimal has 38.
   */
  static final int DIGITS_MAX = 2000;

  private DecimalText() {}

  /**
   * The number that a text is.
   *
   * @param text such as {@code -01.50e3}, whose form was looked at before
   * @return nothing when it has more digits than a value of any type
   * @throws NumberFormatException when its exponent is out of range
   */
  public static Optional<BigDecimal> parse(String text) {
    return text.length() <= DIGITS_MAX ? Optional.of(new BigDecimal(text)) : ofLong(text);
  }

  /** Zeros at both ends are looked at once, and are no digits. */
  private static Optional<BigDecimal> ofLong(String text) {
    int end = mantissaEnd(text);
    int point = text.indexOf('.');
    long exponent = end == text.length() ? 0 : Long.parseLong(text.substring(end + 1));
    long scale = (point < 0 ? 0 : end - point - 1) - exponent;
    String digits = text.substring(0, end).replace(".", "").replace("-", "").replace("+", "");
    int first = 0;
    int last = digits.length();
    while (first < last && digits.charAt(first) == '0') {
      first++;
    }
    while (last > first && digits.charAt(last - 1) == '0') {
      last--;
    }
    if (last - first > DIGITS_MAX) {
      return Optional.empty();
    }
    BigInteger number = new BigInteger(first == last ? "0" : digits.substring(first, last));
    BigInteger signed = text.startsWith("-") ? number.negate() : number;
    return scaled(signed, scale, scale - (digits.length() - last));
  }

  private static int mantissaEnd(String text) {
    int small = text.indexOf('e');
    int end = small < 0 ? text.indexOf('E') : small;
    return end < 0 ? text.length() : end;
  }

  /** A whole number that is written without an exponent has all its digits, the zeros too. */
  private static Optional<BigDecimal> scaled(BigInteger number, long written, long scale) {
    if (number.signum() == 0) {
      return Optional.of(BigDecimal.ZERO);
    }
    if (scale != (int) scale) {
      throw new NumberFormatException("the exponent is out of range");
    }
    BigDecimal stripped = new BigDecimal(number, (int) scale);
    if (written < 0 || scale >= 0) {
      return Optional.of(stripped);
    }
    return scale < -DIGITS_MAX ? Optional.empty() : Optional.of(stripped.setScale(0));
  }
}
