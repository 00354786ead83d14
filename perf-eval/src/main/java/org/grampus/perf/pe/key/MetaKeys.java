package org.grampus.perf.pe.key;

import java.nio.charset.StandardCharsets;

/**
 * Keys of the regions that tests of meta write: the row's number with zeros before it, up to as
 * many digits as the number of rows of a client has. So does HBase's class, whose tests find them.
 *
 * @param width digits of a key; numbers with more of them have longer keys
 */
public record MetaKeys(int width) {
  /** Keys of a run in which a client has {@code rowsOfClient} rows. */
  public static MetaKeys ofRows(long rowsOfClient) {
    return new MetaKeys(String.valueOf(rowsOfClient).length());
  }

  /** The key of a row. */
  public byte[] of(long row) {
    return String.format("%0" + width + "d", row).getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether all keys from a row to another one come in the order of their numbers. */
  public boolean isOrdered(long first, long last) {
    return of(first).length == of(last).length;
  }
}
