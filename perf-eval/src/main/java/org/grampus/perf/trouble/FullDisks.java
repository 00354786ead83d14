package org.grampus.perf.trouble;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.cluster.Role;
import org.grampus.perf.process.Daemon;

/**
 * The disks of all data nodes are full for a while: each is started again with more reserved than
 * there is. A log that loses its last data node cannot go on, so region servers may end; nothing
 * that they have acknowledged is lost.
 */
record FullDisks(Bench bench, Duration time) implements Trouble {
  private static final String RESERVED = "dfs.datanode.du.reserved";
  private static final long STOP_SECONDS = 20;

  @Override
  public void cause() throws ToolException, IOException, InterruptedException {
    bench.mayEnd(bench.regionServers());
    restart(Map.of(RESERVED, String.valueOf(Long.MAX_VALUE / 2)));
    try {
      bench.requireNoWrites();
      bench.last("the disks of all data nodes are full", time);
    } finally {
      restart(Map.of());
    }
  }

  private void restart(Map<String, String> keys)
      throws ToolException, IOException, InterruptedException {
    bench.cluster().hdfs().configure(keys);
    for (Node node : bench.cluster().nodes(Role.DATA_NODE)) {
      Daemon daemon = node.daemon();
      daemon.terminate();
      if (!daemon.awaitEnd(STOP_SECONDS)) {
        throw new ToolException(node + " does not end; see " + daemon.log());
      }
      daemon.start();
    }
  }
}
