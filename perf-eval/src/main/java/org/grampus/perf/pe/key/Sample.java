package org.grampus.perf.pe.key;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A part of the rows, evenly spread; the first row is always in it. Counts exactly: a tenth of
 * 1,005 rows is 101 rows, those whose number is a multiple of ten. Immutable.
 */
public final class Sample {
  /** Every row. */
  public static final Sample ALL = new Sample(BigDecimal.ONE);

  private static final int DIGITS_MAX = 6;

  private final long taken;
  private final long of;

  /**
   * A sample.
   *
   * @param rate above 0, at most 1, with at most six digits behind the point
   */
  public Sample(BigDecimal rate) {
    if (rate.signum() <= 0 || rate.compareTo(BigDecimal.ONE) > 0) {
      throw new IllegalArgumentException(
          "--sampleRate must be above 0 and at most 1, not " + rate.toPlainString());
    }
    if (rate.stripTrailingZeros().scale() > DIGITS_MAX) {
      throw new IllegalArgumentException(
          "--sampleRate has at most " + DIGITS_MAX + " digits behind the point, not " + rate);
    }
    this.of = BigDecimal.TEN.pow(DIGITS_MAX).longValueExact();
    this.taken = rate.movePointRight(DIGITS_MAX).setScale(0, RoundingMode.UNNECESSARY).longValue();
  }

  /**
   * Rows of the sample of a number of rows.
   *
   * @throws ArithmeticException when there are too many rows to count a sample of them
   */
  public long count(long rows) {
    return taken == of ? rows : -Math.floorDiv(-Math.multiplyExact(rows, taken), of);
  }

  /** The index of the n-th row of the sample among all rows. */
  public long index(long n) {
    return taken == of ? n : Math.multiplyExact(n, of) / taken;
  }
}
