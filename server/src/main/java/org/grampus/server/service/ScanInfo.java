package org.grampus.server.service;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What the engine says about one call of next (docs/jni.md), little-endian. One thread. */
final class ScanInfo {
  /** Results that one call of the engine may return, for there is room for no more. */
  static final int MAX_RESULTS = 8192;

  private static final int RESULT_COUNT = 0;
  private static final int CELL_BYTES = 4;
  private static final int END_OF_REGION = 8;
  private static final int FILTER_ALL_REMAINING = 9;
  private static final int STOP_REASON = 10;
  private static final int NEEDED_BYTES = 12;
  private static final int ROWS_SCANNED = 16;
  private static final int ROWS_FILTERED = 24;
  private static final int BYTES_SCANNED = 32;
  private static final int READ_POINT = 40;
  private static final int COMPLETE_ROWS = 48;
  private static final int LAST_ROW_LENGTH = 52;
  private static final int RESULTS = 56;
  private static final int BYTES = RESULTS + MAX_RESULTS * Integer.BYTES + Short.MAX_VALUE;

  private final ByteBuffer info = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);

  ByteBuffer buffer() {
    return info;
  }

  int resultCount() {
    return info.getInt(RESULT_COUNT);
  }

  int cellBytes() {
    return info.getInt(CELL_BYTES);
  }

  boolean endOfRegion() {
    return info.get(END_OF_REGION) != 0 || filterAllRemaining();
  }

  boolean filterAllRemaining() {
    return info.get(FILTER_ALL_REMAINING) != 0;
  }

  StopReason stopReason() {
    return StopReason.of(info.get(STOP_REASON));
  }

  /**
   * Room that the next call must have at least, when the output was full. A result that the engine
   * has not read to its end may need more.
   */
  long neededBytes() {
    return Integer.toUnsignedLong(info.getInt(NEEDED_BYTES));
  }

  /** What the scanner has looked at since it was opened. */
  ScanCounts counts() {
    return new ScanCounts(
        info.getLong(ROWS_SCANNED), info.getLong(ROWS_FILTERED), info.getLong(BYTES_SCANNED));
  }

  long readPoint() {
    return info.getLong(READ_POINT);
  }

  int completeRows() {
    return info.getInt(COMPLETE_ROWS);
  }

  int result(int index) {
    return info.getInt(RESULTS + index * Integer.BYTES);
  }

  /** The row that was looked at last; empty when there was none. */
  byte[] lastRow() {
    byte[] row = new byte[info.getInt(LAST_ROW_LENGTH)];
    info.get(RESULTS + resultCount() * Integer.BYTES, row);
    return row;
  }
}
