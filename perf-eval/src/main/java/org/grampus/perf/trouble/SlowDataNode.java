package org.grampus.perf.trouble;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.cluster.Role;
import org.grampus.perf.process.Daemon;

/** One data node has a tenth of a processor for a while: it stands still most of the time. */
record SlowDataNode(Bench bench, Duration time) implements Trouble {
  private static final long STOPPED_MILLIS = 180;
  private static final long RUNNING_MILLIS = 20;

  @Override
  public void cause() throws IOException, InterruptedException {
    Daemon slow = bench.cluster().nodes(Role.DATA_NODE).get(0).daemon();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      slow.pause();
      try {
        TimeUnit.MILLISECONDS.sleep(STOPPED_MILLIS);
      } finally {
        slow.resume();
      }
      bench.last(slow.name() + " is slow", Duration.ofMillis(RUNNING_MILLIS));
    }
  }
}
