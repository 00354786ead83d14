package org.grampus.perf.trouble;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.cluster.Role;

/**
 * What a region server sends to one other process is lost for a while, and clients still reach the
 * server. Without ZooKeeper its session ends: it must acknowledge nothing once another server may
 * have its regions, and ends. Without the name node or one data node it goes on.
 */
record CutOff(Bench bench, NetworkNamespace network, Role from, Duration time) implements Trouble {
  private static final int FIRST = 1;

  private static final long END_SECONDS = 60;

  @Override
  public void cause() throws ToolException, IOException, InterruptedException {
    Node server = bench.regionServers().get(NetworkNamespace.INSIDE - 1);
    if (from == Role.ZOOKEEPER) {
      bench.mayEnd(List.of(server));
    }
    require(true);
    try {
      network.cut(from, FIRST);
      require(false);
      bench.last(server + " is cut off from " + from, time);
    } finally {
      network.mend();
    }
    require(true);
    if (from == Role.ZOOKEEPER && !server.daemon().awaitEnd(END_SECONDS)) {
      throw new ToolException(server + " goes on after its session; see " + server.daemon().log());
    }
  }

  private void require(boolean reachable) throws ToolException, IOException, InterruptedException {
    if (network.reaches(from, FIRST) != reachable) {
      throw new ToolException(
          network.host(from, FIRST) + " can " + (reachable ? "not " : "") + "be reached");
    }
  }
}
