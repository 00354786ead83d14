package org.grampus.mapreduce.input;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.util.Time;

/**
 * Calls that mostly wait for a file system or a server, several at a time: a plan asks about each
 * region.
 */
public final class WaitingCalls {
  private static final int THREADS = 8;

  /** One of the calls. */
  @FunctionalInterface
  public interface Call<R> {
    /** The result of the call of this index. */
    R at(int index) throws IOException;
  }

  /** One of the calls that return nothing. */
  @FunctionalInterface
  public interface Action {
    /** Makes the call of this index. */
    void at(int index) throws IOException;
  }

  private WaitingCalls() {}

  /**
   * Makes a call for each index below a count.
   *
   * @return the results by index
   * @throws IOException the first that a call has thrown; calls that run then are given up
   */
  public static <R> List<R> all(int count, Call<R> call) throws IOException {
    ExecutorService pool = pool(Math.min(THREADS, count));
    try {
      List<R> results = new ArrayList<>();
      for (Future<R> future : submit(pool, count, call)) {
        results.add(await(future));
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * Makes a call for each index below a count, as {@link #all} does.
   *
   * @throws IOException the first that a call has thrown; calls that run then are given up
   */
  public static void each(int count, Action action) throws IOException {
    all(
        count,
        index -> {
          action.at(index);
          return index;
        });
  }

  /**
   * Makes a call for each index below a count, as many as there is time for. One that runs when the
   * time is over is interrupted, and no thread waits for its end.
   *
   * @param millis the time of all together
   * @param threads how many calls run at a time
   * @return the results by index; empty where there was no time
   * @throws IOException the first that a call has thrown; calls that run then are given up
   */
  static <R> List<Optional<R>> within(long millis, int threads, int count, Call<R> call)
      throws IOException {
    long end = Time.monotonicNow() + millis;
    ExecutorService pool = pool(Math.min(threads, count));
    try {
      List<Optional<R>> results = new ArrayList<>();
      for (Future<R> future : submit(pool, count, call)) {
        results.add(await(future, Math.max(0, end - Time.monotonicNow())));
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  /** Its threads end with the process: one that does not hear of an interrupt holds up nothing. */
  private static ExecutorService pool(int threads) {
    return Executors.newFixedThreadPool(
        Math.max(1, threads),
        task -> {
          Thread thread = new Thread(task, "plan of a job");
          thread.setDaemon(true);
          return thread;
        });
  }

  private static <R> List<Future<R>> submit(ExecutorService pool, int count, Call<R> call) {
    List<Future<R>> running = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      int of = index;
      running.add(pool.submit(() -> call.at(of)));
    }
    return running;
  }

  private static <R> R await(Future<R> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException e) {
      throw failed(e);
    }
  }

  private static <R> Optional<R> await(Future<R> future, long millis) throws IOException {
    try {
      return Optional.of(future.get(millis, TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException e) {
      throw failed(e);
    }
  }

  private static IOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while planning a job");
  }

  private static IOException failed(ExecutionException e) {
    return e.getCause() instanceof IOException failed
        ? failed
        : new IOException("a plan failed", e.getCause());
  }
}
