package org.grampus.perf.judges;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.kill.Writers;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Node;

/**
 * Orders splits and merges of a table that is written, and kills a server of one of its regions, or
 * the active master, in the middle. Each order happens as a whole or not at all, and no row is lost
 * or there twice.
 */
final class SplitsAndMerges implements Judge {
  private static final TableName TABLE = Writers.table();
  private static final int WRITERS = 2;
  private static final byte[] LAST = {(byte) 0xff};
  private static final int MIDDLE_MILLIS_MAX = 600;
  private static final long ORDER_SECONDS_MAX = 120;

  /** Every n-th order is met by the death of a master. */
  private static final int MASTER_EVERY = 3;

  private final int orders;

  /** Gives this number of orders, splits and merges in turn. */
  SplitsAndMerges(int orders) {
    this.orders = orders;
  }

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    Writers.createTable(bench.connection());
    Objections objections = new Objections();
    int done = 0;
    try (Admin admin = bench.connection().getAdmin();
        Writers writers =
            new Writers(WRITERS, bench.connection(), bench.random(), bench.violations())) {
      writers.start();
      for (int order = 0; order < orders; order++) {
        if (order(bench, admin, order, objections)) {
          done++;
        }
      }
      writers.stop();
      objections.unless(done > 0, "none of " + orders + " orders was carried out");
      return objections.with(
          done
              + " of "
              + orders
              + " splits and merges carried out, "
              + bench.operator().compare(writers));
    }
  }

  /** Returns whether it was carried out. */
  private boolean order(JudgeBench bench, Admin admin, int number, Objections objections)
      throws ToolException, IOException, InterruptedException {
    List<RegionInfo> before = regions(admin);
    boolean isSplit = isSplit(number, before.size());
    int at = bench.random().nextInt(isSplit ? before.size() : before.size() - 1);
    Node victim = victim(bench, before.get(at), number);
    Future<Void> order = isSplit ? split(admin, before, at) : merge(admin, before, at);
    Thread.sleep(bench.random().nextInt(MIDDLE_MILLIS_MAX));
    victim.daemon().kill();
    bench.restart(victim);
    final String refusal = await(order);
    bench.awaitQuiet();
    List<RegionInfo> after = regions(admin);
    objections.addAll(RegionChain.faults(after));
    int change = after.size() - before.size();
    objections.addAll(faults(isSplit, change, refusal));
    System.out.printf(
        "          %s, %s killed: %s%n",
        isSplit ? "split" : "merge",
        victim,
        change == 0 ? "not carried out" + refusal : "carried out");
    return change != 0;
  }

  /** Splits and merges take turns, but a single region has nothing to be merged with. */
  static boolean isSplit(int number, int regions) {
    return number % 2 == 0 || regions == 1;
  }

  private static List<RegionInfo> regions(Admin admin) throws IOException {
    return admin.getRegions(TABLE).stream().sorted(RegionInfo.COMPARATOR).toList();
  }

  /** In the middle of what rows a region can have: writers' keys differ early. */
  private static Future<Void> split(Admin admin, List<RegionInfo> regions, int at)
      throws IOException {
    RegionInfo region = regions.get(at);
    byte[] end = region.getEndKey().length == 0 ? LAST : region.getEndKey();
    byte[][] points = Bytes.split(region.getStartKey(), end, 1);
    return admin.splitRegionAsync(region.getRegionName(), points[1]);
  }

  private static Future<Void> merge(Admin admin, List<RegionInfo> regions, int at)
      throws IOException {
    byte[][] both = {
      regions.get(at).getEncodedNameAsBytes(), regions.get(at + 1).getEncodedNameAsBytes()
    };
    return admin.mergeRegionsAsync(both, false);
  }

  /** The server of a region, or the active master. */
  private static Node victim(JudgeBench bench, RegionInfo region, int number)
      throws ToolException, IOException {
    if (number % MASTER_EVERY == MASTER_EVERY - 1) {
      Optional<Node> master = bench.cluster().activeMaster(bench.connection());
      return master.orElseThrow(() -> new ToolException("no master is active"));
    }
    try (RegionLocator locator = bench.connection().getRegionLocator(TABLE)) {
      int port = locator.getRegionLocation(region.getStartKey(), true).getServerName().getPort();
      return bench.regionServers().stream()
          .filter(node -> node.port() == port)
          .findFirst()
          .orElseThrow(() -> new ToolException("no region server has port " + port));
    }
  }

  /** Returns why the order failed, empty if it did not. */
  private static String await(Future<Void> order) throws ToolException, InterruptedException {
    try {
      order.get(ORDER_SECONDS_MAX, TimeUnit.SECONDS);
      return "";
    } catch (ExecutionException e) {
      return ": " + e.getCause();
    } catch (TimeoutException e) {
      throw new ToolException("an order has no end after " + ORDER_SECONDS_MAX + " s", e);
    }
  }

  /**
   * What is wrong with an order.
   *
   * @param change of the number of regions
   * @param refusal why the client says that it failed, empty if it says that it did not
   */
  static List<String> faults(boolean isSplit, int change, String refusal) {
    String what = isSplit ? "a split" : "a merge";
    if (change != 0 && change != (isSplit ? 1 : -1)) {
      return List.of(what + " has changed the number of regions by " + change);
    }
    if (change == 0 && refusal.isEmpty()) {
      return List.of(what + " was carried out, and has changed nothing");
    }
    return List.of();
  }
}
