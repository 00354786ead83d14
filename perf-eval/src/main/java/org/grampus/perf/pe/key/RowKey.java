package org.grampus.perf.pe.key;

/** The key of a row by its number: 26 decimal digits, as {@code PerformanceEvaluation.format}. */
public final class RowKey {
  /** Bytes of a key. */
  public static final int LENGTH = 26;

  private static final int BASE = 10;

  private RowKey() {}

  /**
   * The key.
   *
   * @param row not negative
   */
  public static byte[] of(long row) {
    if (row < 0) {
      throw new IllegalArgumentException("a row's number must not be negative, not " + row);
    }
    byte[] key = new byte[LENGTH];
    long rest = row;
    for (int at = LENGTH - 1; at >= 0; at--) {
      key[at] = (byte) ('0' + rest % BASE);
      rest /= BASE;
    }
    return key;
  }

  /** The number of a row by its key; -1 when it is not such a key. */
  public static long number(byte[] key) {
    if (key.length != LENGTH) {
      return -1;
    }
    long number = 0;
    for (byte digit : key) {
      if (digit < '0' || digit > '9' || number > (Long.MAX_VALUE - BASE) / BASE) {
        return -1;
      }
      number = number * BASE + (digit - '0');
    }
    return number;
  }
}
