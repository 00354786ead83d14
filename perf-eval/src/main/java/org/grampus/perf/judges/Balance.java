package org.grampus.perf.judges;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.Daemon;

/** HBase's balancer gives regions to a server that is back, until all have about as many. */
final class Balance implements Judge {
  private static final TableName TABLE = TableName.valueOf("balanced");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int REGIONS_PER_SERVER = 8;
  private static final double NANOS = 1e9;

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    createTable(bench);
    bench.awaitQuiet();
    List<Node> servers = bench.regionServers();
    Node victim = servers.get(bench.random().nextInt(servers.size()));
    List<Node> others = servers.stream().filter(node -> !node.equals(victim)).toList();
    victim.daemon().kill();
    Await.until(
        "servers to have the regions of " + victim, daemons(others), () -> serve(bench, others));
    Spread without = spread(bench);
    bench.restart(victim);
    long began = System.nanoTime();
    boolean isEven = becomesEven(bench, servers);
    return judge(without, spread(bench), isEven, (System.nanoTime() - began) / NANOS);
  }

  /** With more regions than the balancer overlooks. */
  private static void createTable(JudgeBench bench) throws IOException {
    int regions = REGIONS_PER_SERVER * bench.regionServers().size();
    try (Admin admin = bench.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          new byte[] {1},
          new byte[] {(byte) 0xff},
          regions);
    }
  }

  private static List<Daemon> daemons(List<Node> nodes) {
    return nodes.stream().map(Node::daemon).toList();
  }

  /** Whether these servers and no other have regions, none of which is on its way. */
  private static boolean serve(JudgeBench bench, List<Node> nodes) throws IOException {
    try (Admin admin = bench.connection().getAdmin()) {
      return admin.getRegionServers().size() == nodes.size()
          && admin.getClusterMetrics().getRegionStatesInTransition().isEmpty();
    }
  }

  private static boolean becomesEven(JudgeBench bench, List<Node> servers)
      throws InterruptedException {
    try {
      Await.until(
          "balance", daemons(servers), () -> serve(bench, servers) && spread(bench).isEven());
      return true;
    } catch (ToolException e) {
      return false; // which the judgement says
    }
  }

  private static Spread spread(JudgeBench bench) throws IOException {
    List<Integer> counts = new ArrayList<>();
    try (Admin admin = bench.connection().getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        counts.add(admin.getRegions(server).size());
      }
    }
    return new Spread(counts);
  }

  /**
   * What was seen.
   *
   * @param without while a server was away
   * @param with at the end
   * @param isEven whether it became even
   * @param seconds from the server's return
   */
  static Judgement judge(Spread without, Spread with, boolean isEven, double seconds) {
    Objections objections = new Objections();
    objections.unless(isEven, "the balancer leaves regions by server at " + with);
    return objections.with(
        String.format(
            Locale.ROOT, "regions by server %s, then %s after %.1f s", without, with, seconds));
  }
}
