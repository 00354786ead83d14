package org.grampus.server.master;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Whose group the workers of a pool belong to. */
class CommonPoolThreadFactoryTest {
  @Test
  void aWorkerIsNotInTheGroupOfTheThreadThatAskedForIt() throws Exception {
    ThreadGroup procedures = new ThreadGroup("procedures");
    ForkJoinPool pool = new ForkJoinPool(1, new CommonPoolThreadFactory(), null, false);
    try {
      Callable<ThreadGroup> group = () -> Thread.currentThread().getThreadGroup();
      FutureTask<ThreadGroup> procedure = new FutureTask<>(() -> pool.submit(group).get());
      new Thread(procedures, procedure).start();

      ThreadGroup workers = procedure.get();

      assertNotSame(procedures, workers);
      assertNull(workers.getParent(), "the root has no parent");
    } finally {
      pool.shutdown();
    }
  }
}
