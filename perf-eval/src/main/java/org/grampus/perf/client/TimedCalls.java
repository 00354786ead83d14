package org.grampus.perf.client;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Calls of several threads, each of which makes one at a time.
 *
 * @param micros latencies of all of them, in µs
 * @param seconds from the start of the threads to the last answer
 */
public record TimedCalls(Histogram micros, double seconds) {
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;
  private static final long NANOS_OF_MICRO = 1000;

  /** A call. */
  @FunctionalInterface
  public interface Call {
    /** Makes it once. */
    void make() throws IOException;
  }

  /** Makes a call again and again, as one thread; returns the latencies in µs. */
  public static Histogram repeat(long count, Call call) throws IOException {
    Histogram micros = new Histogram(DIGITS);
    for (long done = 0; done < count; done++) {
      long before = System.nanoTime();
      call.make();
      micros.recordValue((System.nanoTime() - before) / NANOS_OF_MICRO);
    }
    return micros;
  }

  /**
   * Runs threads to their end.
   *
   * @param pool with a thread for each
   * @param threads what they do; they return the latencies of their calls, in µs
   */
  public static TimedCalls of(ExecutorService pool, List<? extends Callable<Histogram>> threads)
      throws InterruptedException, ExecutionException {
    Histogram micros = new Histogram(DIGITS);
    long begun = System.nanoTime();
    for (Future<Histogram> end : pool.invokeAll(threads)) {
      micros.add(end.get());
    }
    return new TimedCalls(micros, (System.nanoTime() - begun) / NANOS);
  }
}
