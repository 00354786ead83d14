package org.grampus.perf.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Writes groups to a file one after the other, as a log does that always has one. For one call of
 * {@link #write}, and one thread.
 */
final class GroupWriter {
  /** Significant decimal digits that histograms of latencies keep. */
  static final int DIGITS = 3;

  private record Sent(long nanos, Future<?> acknowledged) {}

  private final LogStream out;
  private final int inFlight;
  private final LongSupplier clock;
  private final Deque<Sent> onTheirWay = new ArrayDeque<>();
  private final Histogram latencies = new Histogram(DIGITS);

  /**
   * A writer that has written nothing.
   *
   * @param inFlight groups that may be on their way at once
   * @param clock in nanoseconds
   */
  GroupWriter(LogStream out, int inFlight, LongSupplier clock) {
    this.out = out;
    this.inFlight = inFlight;
    this.clock = clock;
  }

  /**
   * Writes one group again and again until the time is over or the file is full, and waits for all.
   *
   * @return latencies in nanoseconds, from the call that takes a group until the writer knows that
   *     it may be acknowledged
   */
  Histogram write(ByteBuffer group, long groupsMax, long nanosMax) throws IOException {
    long end = clock.getAsLong() + nanosMax;
    for (long i = 0; i < groupsMax && clock.getAsLong() < end; i++) {
      onTheirWay.add(new Sent(clock.getAsLong(), out.append(group.duplicate())));
      if (onTheirWay.size() == inFlight) {
        awaitOldest();
      }
    }
    while (!onTheirWay.isEmpty()) {
      awaitOldest();
    }
    return latencies;
  }

  private void awaitOldest() throws IOException {
    Sent oldest = onTheirWay.remove();
    FutureUtils.get(oldest.acknowledged());
    latencies.recordValue(clock.getAsLong() - oldest.nanos());
  }
}
