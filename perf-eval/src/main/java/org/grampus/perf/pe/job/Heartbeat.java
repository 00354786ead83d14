package org.grampus.perf.pe.job;

import java.io.Closeable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Progressable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Hadoop every now and then that a task is at work, on a thread of its own: a call may take
 * longer than {@code mapreduce.task.timeout}, after which Hadoop kills the task. Calls that hang
 * have time limits of HBase's client.
 */
final class Heartbeat implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
  private static final long PERIOD_MILLIS = 1000;
  private static final long CLOSE_MILLIS = 10_000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread daemon = new Thread(work, "heartbeat");
            daemon.setDaemon(true);
            return daemon;
          });

  private final Progressable task;

  /** That of a task, which {@link #begin} begins and {@link #close} ends. */
  Heartbeat(Progressable task) {
    this.task = task;
  }

  void begin() {
    begin(PERIOD_MILLIS);
  }

  void begin(long everyMillis) {
    ScheduledFuture<?> unused = // it ends with its thread
        thread.scheduleAtFixedRate(task::progress, 0, everyMillis, TimeUnit.MILLISECONDS);
  }

  /** Whether no beat can follow. */
  boolean hasEnded() {
    return thread.isTerminated();
  }

  /** Waits for a beat that has begun. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn("a report of progress hangs; the task ends without it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
