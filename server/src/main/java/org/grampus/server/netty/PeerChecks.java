package org.grampus.server.netty;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at peers again after {@link PeerProgress#CHECK_MILLIS}, on their event loops. The time
 * passes in a thread of its own: while a server is busy some check is always due, and an event loop
 * that has a timer makes the kernel set and cancel one in each of its waits. Any thread.
 */
class PeerChecks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerChecks.class);

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "peer-checks");
            thread.setDaemon(true);
            return thread;
          });

  /** Runs a check later, unless the server or the loop has ended by then. */
  void later(EventExecutor loop, Runnable check) {
    try {
      var unused =
          clock.schedule(() -> hand(loop, check), PeerProgress.CHECK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the server ends; a peer is not checked again", e);
    }
  }

  private static void hand(EventExecutor loop, Runnable check) {
    try {
      loop.execute(check);
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop has ended, and its connections with it", e);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
