package org.grampus.mapreduce.input;

import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How much of a split lies before a row: the bytes of the pieces before the row's own, and of that
 * one the share by key. Rows are asked for in the order of the scan, which makes it cheap. One
 * thread.
 */
public final class KeyProgress {
  /** Results between two computations: frameworks ask after every result. */
  private static final int RESULTS_PER_UPDATE = 256;

  private final KeySpan[] spans;
  private final double[] bytesBefore;
  private final boolean reversed;
  private int current;
  private int unseen;
  private float share;

  /** The progress within a range whose bytes are in pieces; without pieces, by key alone. */
  public KeyProgress(KeyRange range, List<Piece> pieces, boolean reversed) {
    int count = Math.max(1, pieces.size());
    this.reversed = reversed;
    spans = new KeySpan[count];
    bytesBefore = new double[count + 1];
    UniformKeys keys = UniformKeys.ofRegions(List.of(range));
    for (int i = 0; i < count; i++) {
      byte[] start = i == 0 ? range.start() : pieces.get(i).firstRow();
      byte[] end = i + 1 < count ? pieces.get(i + 1).firstRow() : range.end();
      spans[i] = keys.span(KeyRange.of(start, end));
      bytesBefore[i + 1] = bytesBefore[i] + (pieces.isEmpty() ? 1 : pieces.get(i).bytes());
    }
    current = reversed ? count - 1 : 0;
  }

  /** The progress after a result of a row, from 0 to 1: that of one result in a few hundred. */
  float after(byte[] row) {
    if (unseen-- <= 0) {
      unseen = RESULTS_PER_UPDATE;
      share = at(row);
    }
    return share;
  }

  /** The progress at a row, from 0 to 1. */
  public float at(byte[] row) {
    while (current + 1 < spans.length && isAtOrBehind(row, current + 1)) {
      current++;
    }
    while (current > 0 && !isAtOrBehind(row, current)) {
      current--;
    }
    double bytes = bytesBefore[current + 1] - bytesBefore[current];
    double done = bytesBefore[current] + bytes * spans[current].share(row);
    double share = done / Math.max(1, bytesBefore[spans.length]);
    return (float) (reversed ? 1 - share : share);
  }

  private boolean isAtOrBehind(byte[] row, int piece) {
    return Bytes.compareTo(row, spans[piece].start()) >= 0;
  }
}
