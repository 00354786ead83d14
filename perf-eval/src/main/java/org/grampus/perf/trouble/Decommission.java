package org.grampus.perf.trouble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.process.Await;

/**
 * A region server is drained by the commands of docs/cluster.md: its regions move to the others,
 * and none comes back, however often the balancer runs, until the mark is taken away.
 *
 * @param time for how long the server is watched while it has the mark
 */
record Decommission(Bench bench, Duration time) implements Trouble {
  private static final long POLL_MILLIS = 100;
  private static final String NAME = "a decommission";

  @Override
  public void cause() throws ToolException, IOException, InterruptedException {
    Node node = bench.regionServers().get(0);
    ServerName server = bench.name(node);
    String address = "'" + server.getHostname() + "," + server.getPort() + "'";
    try (Admin admin = bench.connection().getAdmin()) {
      shell("decommission_regionservers [" + address + "], true");
      Await.until(
          "the regions of " + server + " to move",
          List.of(node.daemon()),
          () -> admin.getRegions(server).isEmpty());
      requireEmpty(admin, server);
      shell("recommission_regionserver " + address);
      if (!admin.listDecommissionedRegionServers().isEmpty()) {
        throw new ToolException("the mark of " + server + " stays");
      }
    }
    bench.requireAvailable(NAME);
  }

  private void requireEmpty(Admin admin, ServerName server)
      throws ToolException, IOException, InterruptedException {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < time.toNanos()) {
      bench.revive(NAME);
      var regions = admin.getRegions(server);
      if (!regions.isEmpty()) {
        throw new ToolException(server + " is decommissioned and has got " + regions);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /** A command of HBase's shell, by the name of its first word in the cluster's directory. */
  private void shell(String command) throws ToolException, IOException, InterruptedException {
    Path directory = bench.cluster().directory();
    String name = command.substring(0, command.indexOf(' '));
    Path script = directory.resolve(name + ".rb");
    Files.writeString(script, command + System.lineSeparator());
    bench.cluster().grampus("shell", "-n", script.toString()).run(directory.resolve(name + ".log"));
  }
}
