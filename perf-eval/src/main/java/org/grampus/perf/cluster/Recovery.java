package org.grampus.perf.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.grampus.perf.ToolException;

/**
 * Waits until a cluster serves again, and starts meanwhile what has ended. For one thread.
 *
 * @param cluster the cluster
 * @param probe says whether requests are answered
 * @param operator asks for the active master
 * @param services starts what has ended
 */
public record Recovery(Cluster cluster, Probe probe, Connection operator, ServiceManager services) {
  private static final long POLL_MILLIS = 100;

  /** After that there is no point in going on. */
  private static final long SECONDS_MAX = 120;

  /**
   * Waits for a time, for an answer of each region, for an HDFS that takes files, and for an active
   * master that knows all region servers. Regions are served without a name node for a while, and
   * without a server that is back but not at the master yet; a second death would not be one at a
   * time.
   *
   * @param event what happened before, in sentences
   * @param next the time, of {@link System#nanoTime}
   * @return what had ended
   * @throws ToolException when the cluster does not serve after two minutes
   */
  public List<Node> await(String event, long next)
      throws ToolException, IOException, InterruptedException {
    List<Node> ended = new ArrayList<>();
    long since = System.nanoTime();
    long deadline = since + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    boolean isServed = false;
    while (!isServed || System.nanoTime() - next < 0) {
      ended.addAll(services.revive(event));
      isServed = isServed || (probe.answeredSince(since) && isComplete());
      if (!isServed && System.nanoTime() - deadline > 0) {
        throw new ToolException(
            event + ": no service after " + SECONDS_MAX + " s; " + probe.failureSince(since));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return ended;
  }

  private boolean isComplete() {
    try {
      return cluster.hdfs().isReady() && cluster.isComplete(operator);
    } catch (IOException e) {
      return false; // the name node starts, or the standby has not taken over yet
    }
  }
}
