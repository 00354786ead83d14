package org.grampus.engine;

/**
 * What a scan looked at.
 *
 * @param rowsScanned rows that were looked at
 * @param rowsFiltered rows that a filter dropped
 * @param bytesScanned bytes of the cells that were looked at
 */
public record ScanCounts(long rowsScanned, long rowsFiltered, long bytesScanned) {
  /** Nothing yet. */
  public static final ScanCounts NONE = new ScanCounts(0, 0, 0);

  /** What came after an earlier count. */
  public ScanCounts minus(ScanCounts earlier) {
    return new ScanCounts(
        rowsScanned - earlier.rowsScanned,
        rowsFiltered - earlier.rowsFiltered,
        bytesScanned - earlier.bytesScanned);
  }
}
