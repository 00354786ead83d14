package org.grampus.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the engine says about one call of {@link EngineScanner#next}, as it writes it: {@code info}
 * of docs/jni.md. Reusable; one thread.
 */
public final class ScanInfo {
  /** Results that one call of the engine may return, for there is room for no more. */
  public static final int MAX_RESULTS = 8192;

  static final int RESULT_COUNT = 0;
  static final int CELL_BYTES = RESULT_COUNT + Integer.BYTES;
  static final int END_OF_REGION = CELL_BYTES + Integer.BYTES;
  static final int FILTER_ALL_REMAINING = END_OF_REGION + Byte.BYTES;

  /** Where the code of the {@link StopReason} is, a byte. */
  public static final int STOP_REASON = FILTER_ALL_REMAINING + Byte.BYTES;

  static final int NEEDED_BYTES = STOP_REASON + Short.BYTES; // the reason and a zero
  static final int ROWS_SCANNED = NEEDED_BYTES + Integer.BYTES;
  static final int ROWS_FILTERED = ROWS_SCANNED + Long.BYTES;
  static final int BYTES_SCANNED = ROWS_FILTERED + Long.BYTES;
  static final int READ_POINT = BYTES_SCANNED + Long.BYTES;
  static final int COMPLETE_ROWS = READ_POINT + Long.BYTES;
  static final int LAST_ROW_LENGTH = COMPLETE_ROWS + Integer.BYTES;
  static final int RESULTS = LAST_ROW_LENGTH + Integer.BYTES;
  private static final int BYTES = RESULTS + MAX_RESULTS * Integer.BYTES + Short.MAX_VALUE;

  /** Set in a result when more cells of its row may follow. */
  public static final int PARTIAL_BIT = 1 << 31;

  private final ByteBuffer info = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Says nothing yet. */
  public ScanInfo() {}

  /** What the engine writes to; little-endian. */
  public ByteBuffer buffer() {
    return info;
  }

  /** Results that were returned. */
  public int resultCount() {
    return info.getInt(RESULT_COUNT);
  }

  /** Bytes of their cells. */
  public int cellBytes() {
    return info.getInt(CELL_BYTES);
  }

  /** Whether the region has no more for the scan. */
  public boolean endOfRegion() {
    return info.get(END_OF_REGION) != 0 || filterAllRemaining();
  }

  /** Whether the filter wants nothing more. */
  public boolean filterAllRemaining() {
    return info.get(FILTER_ALL_REMAINING) != 0;
  }

  /** Why the call ended. */
  public StopReason stopReason() {
    return StopReason.ofCode(info.get(STOP_REASON));
  }

  /**
   * Room that the next call must have at least, in bytes, when the output was full. A result that
   * the engine has not read to its end may need more.
   */
  public long neededBytes() {
    return Integer.toUnsignedLong(info.getInt(NEEDED_BYTES));
  }

  /** What the scanner has looked at since it was opened. */
  public ScanCounts counts() {
    return new ScanCounts(
        info.getLong(ROWS_SCANNED), info.getLong(ROWS_FILTERED), info.getLong(BYTES_SCANNED));
  }

  /** The read point of the scanner. */
  public long readPoint() {
    return info.getLong(READ_POINT);
  }

  /** Rows that were returned to their ends. */
  public int completeRows() {
    return info.getInt(COMPLETE_ROWS);
  }

  /** The number of cells of a result, with {@link #PARTIAL_BIT}. */
  public int result(int index) {
    return info.getInt(RESULTS + index * Integer.BYTES);
  }

  /** The row that was looked at last; empty when there was none. */
  public byte[] lastRow() {
    byte[] row = new byte[info.getInt(LAST_ROW_LENGTH)];
    info.get(RESULTS + resultCount() * Integer.BYTES, row);
    return row;
  }
}
