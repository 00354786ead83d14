package org.grampus.server.daemon;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.grampus.server.cluster.FatalHandler;
import org.grampus.server.env.Repeated;
import org.grampus.server.master.EmbeddedMaster;

/**
 * Ends the process when the embedded master has ended by itself: a standalone server without a
 * master only looks alive, and one that starts would wait for it for ever.
 */
final class MasterWatch implements AutoCloseable {
  private static final long INTERVAL_MILLIS = 500;

  private final CountDownLatch stop = new CountDownLatch(1);

  private MasterWatch() {}

  static MasterWatch start(EmbeddedMaster master, FatalHandler fatal) {
    MasterWatch watch = new MasterWatch();
    Thread thread = new Thread(() -> watch.run(master, fatal), "grampus-master-watch");
    thread.setDaemon(true);
    thread.start();
    return watch;
  }

  private void run(EmbeddedMaster master, FatalHandler fatal) {
    Runnable check = Repeated.of("a check of the embedded master", () -> check(master, fatal));
    try {
      while (!stop.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
        check.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void check(EmbeddedMaster master, FatalHandler fatal) {
    if (master.isDown()) {
      fatal.abort("the embedded master has ended; its log lines above say why", null);
    }
  }

  @Override
  public void close() {
    stop.countDown();
  }
}
