package org.grampus.mapreduce.input;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls that mostly wait for a file system, several at a time: a plan asks about each region. */
final class WaitingCalls {
  private static final int THREADS = 8;

  /** One of the calls. */
  @FunctionalInterface
  interface Call<R> {
    R at(int index) throws IOException;
  }

  private WaitingCalls() {}

  /**
   * Makes a call for each index below a count.
   *
   * @return the results by index
   * @throws IOException the first that a call has thrown; calls that run then are given up
   */
  static <R> List<R> all(int count, Call<R> call) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, Math.min(THREADS, count)));
    try {
      List<Future<R>> running = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        int of = index;
        running.add(pool.submit(() -> call.at(of)));
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : running) {
        results.add(await(future));
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  private static <R> R await(Future<R> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while planning a job");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IOException("a plan failed", e.getCause());
    }
  }
}
