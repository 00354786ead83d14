package org.grampus.server.daemon;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends the process when the embedded master has ended by itself: a standalone server without a
 * master only looks alive.
 */
final class MasterWatch implements AutoCloseable {
  private static final long INTERVAL_MILLIS = 500;

  private final CountDownLatch stop = new CountDownLatch(1);

  private MasterWatch() {}

  static MasterWatch start(Standalone standalone, DaemonRunner runner) {
    MasterWatch watch = new MasterWatch();
    Thread thread = new Thread(() -> watch.run(standalone, runner), "grampus-master-watch");
    thread.setDaemon(true);
    thread.start();
    return watch;
  }

  private void run(Standalone standalone, DaemonRunner runner) {
    try {
      while (!stop.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (standalone.masterIsDown()) {
          runner.abort("the embedded master has ended", null);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop.countDown();
  }
}
