package org.grampus.server.metrics;

import java.util.Arrays;
import org.apache.hadoop.hbase.metrics.Snapshot;
import org.apache.hadoop.hbase.metrics.impl.CounterImpl;
import org.apache.hadoop.hbase.metrics.impl.FastLongHistogram;
import org.apache.hadoop.hbase.metrics.impl.HistogramImpl;

/**
 * A histogram of HBase's that takes no memory before its first value, and a list of values while
 * they are few: HBase's has 258 counters, about 9 KB, from the start, and a table has 31 of them.
 * With more than {@link #FEW_MAX} values between two snapshots it becomes one of HBase's for good;
 * values then come in without a lock. Any thread.
 */
final class SparseHistogram extends HistogramImpl {
  static final int FEW_MAX = 64;
  private static final int FIRST_ROOM = 4;
  private static final int BINS_OF_FEW = FEW_MAX;
  private static final long[] NONE = {};

  /** Stands where HBase's class wants its bins; takes no value. */
  private static final FastLongHistogram UNUSED = new FastLongHistogram(1);

  private static final Snapshot EMPTY = new FastLongHistogram(1).snapshotAndReset();

  private volatile HistogramImpl dense;
  private long[] few = NONE;
  private int held;
  private long count;

  SparseHistogram() {
    super(new CounterImpl(), UNUSED);
  }

  /** Whether it has HBase's counters. */
  boolean isDense() {
    return dense != null;
  }

  @Override
  public void update(int value) {
    update((long) value);
  }

  @Override
  public void update(long value) {
    HistogramImpl many = dense;
    if (many == null) {
      many = keep(value);
    }
    if (many != null) {
      many.update(value);
    }
  }

  /** Puts a value into the list; returns HBase's histogram instead when there is one by now. */
  private synchronized HistogramImpl keep(long value) {
    if (dense == null && held == FEW_MAX) {
      dense = denseOfFew();
    }
    if (dense == null) {
      if (held == few.length) {
        few = Arrays.copyOf(few, held == 0 ? FIRST_ROOM : 2 * held);
      }
      few[held++] = value;
      count++;
    }
    return dense;
  }

  private HistogramImpl denseOfFew() {
    HistogramImpl all = new HistogramImpl();
    count -= held; // which the new one counts from here on
    Arrays.stream(few, 0, held).forEach(all::update);
    few = NONE;
    held = 0;
    return all;
  }

  @Override
  public synchronized long getCount() {
    return count + (dense == null ? 0 : dense.getCount());
  }

  @Override
  public synchronized long getMax() {
    return dense == null ? ofFew().getMax() : dense.getMax();
  }

  @Override
  public synchronized long getMin() {
    return dense == null ? ofFew().getMin() : dense.getMin();
  }

  @Override
  public synchronized long[] getQuantiles(double[] quantiles) {
    return dense == null ? ofFew().getQuantiles(quantiles) : dense.getQuantiles(quantiles);
  }

  @Override
  public synchronized Snapshot snapshot() {
    if (dense != null) {
      return dense.snapshot();
    }
    Snapshot taken = ofFew();
    few = NONE;
    held = 0;
    return taken;
  }

  /** HBase's reckoning, with bins between the smallest and the largest of the values. */
  private Snapshot ofFew() {
    long[] values = Arrays.stream(few, 0, held).filter(value -> value >= 0).sorted().toArray();
    if (values.length == 0) {
      return EMPTY;
    }
    FastLongHistogram bins =
        new FastLongHistogram(BINS_OF_FEW, values[0], values[values.length - 1]);
    for (long value : values) {
      bins.add(value, 1);
    }
    return bins.snapshotAndReset();
  }
}
