package org.grampus.mapreduce.input;

import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows from a first one up to, but without, another; an empty key is an open end. Immutable. */
public final class KeyRange {
  /** Every row. */
  public static final KeyRange ALL = new KeyRange(new byte[0], new byte[0]);

  private static final KeyRange NONE = new KeyRange(new byte[1], new byte[1]);

  private final byte[] start;
  private final byte[] end;

  private KeyRange(byte[] start, byte[] end) {
    this.start = start;
    this.end = end;
  }

  /** The rows from a start key up to an end key; the arrays are not copied. */
  public static KeyRange of(byte[] start, byte[] end) {
    return new KeyRange(start, end);
  }

  /** The rows that a scan covers, whichever way it goes and whichever of its ends it includes. */
  public static KeyRange ofScan(Scan scan) {
    byte[] from = scan.getStartRow();
    byte[] to = scan.getStopRow();
    return scan.isReversed()
        ? bounded(to, scan.includeStopRow(), from, scan.includeStartRow())
        : bounded(from, scan.includeStartRow(), to, scan.includeStopRow());
  }

  /** The rows of a split: as in HBase's formats, the same row twice is this one row. */
  public static KeyRange ofSplit(byte[] start, byte[] end) {
    boolean oneRow = start.length > 0 && Arrays.equals(start, end);
    return oneRow ? bounded(start, true, end, true) : of(start, end);
  }

  private static KeyRange bounded(byte[] low, boolean withLow, byte[] high, boolean withHigh) {
    byte[] start = low.length == 0 || withLow ? low : after(low);
    if (start == null) {
      return NONE;
    }
    byte[] end = high;
    if (high.length > 0 && withHigh) {
      byte[] next = after(high);
      end = next == null ? new byte[0] : next;
    }
    return new KeyRange(start, end);
  }

  /** The first possible row behind a row; null when there is none. */
  static byte[] after(byte[] row) {
    if (row.length < HConstants.MAX_ROW_LENGTH) {
      return Arrays.copyOf(row, row.length + 1);
    }
    int last = row.length - 1;
    while (last >= 0 && row[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] next = Arrays.copyOf(row, last + 1);
    next[last]++;
    return next;
  }

  /** The first row, or empty. */
  public byte[] start() {
    return start;
  }

  /** The first row behind the last one, or empty. */
  public byte[] end() {
    return end;
  }

  /** Whether no row is in it. */
  public boolean isEmpty() {
    return end.length > 0 && Bytes.compareTo(start, end) >= 0;
  }

  /** Whether a row is in it. */
  public boolean contains(byte[] row) {
    return Bytes.compareTo(row, start) >= 0 && (end.length == 0 || Bytes.compareTo(row, end) < 0);
  }

  /** The rows that are in both. */
  public KeyRange intersect(KeyRange other) {
    byte[] from = Bytes.compareTo(start, other.start) >= 0 ? start : other.start;
    boolean mine =
        other.end.length == 0 || (end.length > 0 && Bytes.compareTo(end, other.end) <= 0);
    return new KeyRange(from, mine ? end : other.end);
  }

  /** Whether another range begins where this one ends. */
  public boolean meets(KeyRange next) {
    return end.length > 0 && Arrays.equals(end, next.start);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyRange that
        && Arrays.equals(start, that.start)
        && Arrays.equals(end, that.end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
  }

  @Override
  public String toString() {
    return "[" + Bytes.toStringBinary(start) + ", " + Bytes.toStringBinary(end) + ")";
  }
}
