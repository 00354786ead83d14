package org.grampus.server.region;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Does the same to many regions, some at a time, on threads that end with the work. Any thread. */
public final class RegionFanOut {
  private final String name;
  private final int threads;

  /** What is done to a region. */
  public interface Action {
    /** Called once for each region, by any thread of the fan-out. */
    void run(OnlineRegion region) throws IOException;
  }

  /** A fan-out over a number of threads of this name. */
  public RegionFanOut(String name, int threads) {
    this.name = name;
    this.threads = threads;
  }

  /**
   * Returns when the action has run on every region. The first failure is thrown; regions whose
   * turn has not come then are left out, and running actions are interrupted.
   */
  public void run(Collection<OnlineRegion> regions, Action action)
      throws IOException, InterruptedException {
    if (regions.isEmpty()) {
      return;
    }
    ExecutorService pool = pool(Math.min(threads, regions.size()));
    try {
      ExecutorCompletionService<Void> completed = new ExecutorCompletionService<>(pool);
      for (OnlineRegion region : regions) {
        Future<Void> unused =
            completed.submit(
                () -> {
                  action.run(region);
                  return null;
                });
      }
      for (int i = 0; i < regions.size(); i++) {
        completed.take().get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private ExecutorService pool(int size) {
    AtomicInteger count = new AtomicInteger();
    return Executors.newFixedThreadPool(
        size,
        task -> {
          Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
