package org.grampus.engine;

/**
 * The limits of one call of {@link EngineScanner#next}. Reusable, so that a call allocates nothing;
 * one thread.
 */
public final class ScanLimits {
  /** A size or time limit may stop between the cells of a row. */
  public static final int PARTIALS_ALLOWED = 1;

  /** A time limit may stop a call that has nothing to return. */
  public static final int HEARTBEATS_ALLOWED = 2;

  /** The call goes on with the reply of the call before, whose bytes still count. */
  public static final int CONTINUES = 4;

  private int results;
  private int rows;
  private long sizeBytes;
  private long timeMillis;
  private int flags;

  /** Limits that allow nothing yet. */
  public ScanLimits() {}

  /**
   * Limits what is returned.
   *
   * @param maxResults results, of which a row may have several
   * @param maxRows complete rows, 0 = any number
   */
  public ScanLimits count(int maxResults, int maxRows) {
    results = maxResults;
    rows = maxRows;
    return this;
  }

  /**
   * Limits the size of the cells, in bytes as HBase counts them; the cell that crosses it comes.
   */
  public ScanLimits size(long bytes) {
    sizeBytes = bytes;
    return this;
  }

  /** Limits the time that the call takes, in milliseconds. Counts only with heartbeats. */
  public ScanLimits time(long millis) {
    timeMillis = millis;
    return this;
  }

  /** Sets the flags: the sum of those above that hold. */
  public ScanLimits flags(int all) {
    flags = all;
    return this;
  }

  /** The number of results. */
  public int results() {
    return results;
  }

  /** The number of complete rows, 0 = any. */
  public int rows() {
    return rows;
  }

  /** The size of the cells in bytes. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** The time in milliseconds. */
  public long timeMillis() {
    return timeMillis;
  }

  /** All flags. */
  public int flags() {
    return flags;
  }
}
