package org.grampus.perf.trouble;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.FullScans;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.process.Await;

/**
 * A region server stands still for longer than its session, in the middle of flushes, with puts in
 * its sockets. When it goes on, others have its regions: it acknowledges none of these puts and
 * changes no file, and it ends.
 */
record PausedServer(Bench bench, Random random) implements Trouble {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] PENDING = Bytes.toBytes("pending");

  private static final TableName TABLE = TableName.valueOf("paused");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int REGIONS = 6;
  private static final int ROWS_PER_REGION = 1000;
  private static final int VALUE_BYTES = 500;
  private static final int FLUSH_MILLIS = 300;
  private static final int TRIES_MAX = 20;
  private static final long END_SECONDS = 60;

  /** The time for which nothing changes by itself once all is recovered. */
  private static final Duration STILL = Duration.ofSeconds(5);

  @Override
  public boolean isQuiet() {
    return true; // it compares files
  }

  @Override
  public void cause() throws ToolException, IOException, InterruptedException {
    createTable();
    write();
    List<byte[]> rows = new ArrayList<>();
    Node victim = victim(rows);
    ServerName name = bench.name(victim);
    try (PendingPuts pending = new PendingPuts(bench.cluster().configuration(), TABLE)) {
      for (byte[] row : rows) {
        pending.visit(row);
      }
      Thread flush = pauseInFlush(victim, name);
      bench.mayEnd(List.of(victim));
      rows.forEach(pending::send);
      awaitOthers(name);
      Map<String, String> before = stillFiles(name);
      if (!pending.areAllPending()) {
        throw new ToolException("a put to the paused server has ended, so that nothing is tested");
      }
      victim.daemon().resume();
      if (!victim.daemon().awaitEnd(END_SECONDS)) {
        throw new ToolException(victim + " goes on after its session; see its log");
      }
      flush.join();
      require(pending, rows.size(), before, files(name));
      requireVisited(rows);
    }
  }

  private void createTable() throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int region = 1; region < REGIONS; region++) {
      splits[region - 1] = row(region, 0);
    }
    try (Admin admin = bench.connection().getAdmin()) {
      if (!admin.tableExists(TABLE)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            splits);
      }
    }
  }

  private void write() throws IOException {
    byte[] value = new byte[VALUE_BYTES];
    try (Table table = bench.connection().getTable(TABLE)) {
      for (int region = 0; region < REGIONS; region++) {
        List<Put> puts = new ArrayList<>();
        for (int row = 0; row < ROWS_PER_REGION; row++) {
          random.nextBytes(value);
          puts.add(new Put(row(region, row)).addColumn(FAMILY, QUALIFIER, value.clone()));
        }
        table.put(puts);
      }
    }
  }

  private static byte[] row(int region, int row) {
    return Bytes.toBytes(region + "-" + row);
  }

  /** A server with a region of the table, and a row of each such region. */
  private Node victim(List<byte[]> rows) throws ToolException, IOException {
    try (RegionLocator locator = bench.connection().getRegionLocator(TABLE)) {
      int port = locator.getRegionLocation(row(0, 0), true).getServerName().getPort();
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        if (location.getServerName().getPort() == port) {
          byte[] start = location.getRegion().getStartKey();
          rows.add(start.length == 0 ? row(0, 0) : start);
        }
      }
      return bench.regionServers().stream()
          .filter(node -> node.port() == port)
          .findFirst()
          .orElseThrow(() -> new ToolException("no region server has port " + port));
    }
  }

  /** Stops it while it writes files; returns what waits for the flush. */
  private Thread pauseInFlush(Node victim, ServerName name)
      throws ToolException, IOException, InterruptedException {
    Set<String> regions = new HashSet<>();
    try (Admin admin = bench.connection().getAdmin()) {
      admin.getRegions(name).forEach(region -> regions.add(region.getEncodedName()));
    }
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      Thread flush = new Thread(this::flush, "flush");
      flush.start();
      TimeUnit.MILLISECONDS.sleep(random.nextInt(FLUSH_MILLIS));
      victim.daemon().pause();
      if (flush.isAlive() && isWriting(regions)) {
        return flush;
      }
      victim.daemon().resume();
      flush.join();
      write();
    }
    throw new ToolException("no pause of " + TRIES_MAX + " fell into a flush");
  }

  /** Whether a file of one of these regions has been begun and not committed. */
  private boolean isWriting(Set<String> regions) throws IOException {
    RemoteIterator<LocatedFileStatus> files =
        bench.hdfs().listFiles(new Path(bench.root(), "data/default/" + TABLE), true);
    while (files.hasNext()) {
      String path = files.next().getPath().toUri().getPath();
      if (path.contains("/.tmp/") && regions.stream().anyMatch(path::contains)) {
        return true;
      }
    }
    return false;
  }

  /** The pause comes in the middle of it, so it may fail. */
  private void flush() {
    try (Admin admin = bench.connection().getAdmin()) {
      admin.flush(TABLE);
    } catch (IOException e) {
      System.out.print("(the flush was cut off) ");
    }
  }

  private void awaitOthers(ServerName name) throws ToolException, InterruptedException {
    Await.until(
        "other servers to have the regions of " + name,
        List.of(),
        () -> {
          try (RegionLocator locator = bench.connection().getRegionLocator(TABLE)) {
            locator.clearRegionLocationCache();
            for (HRegionLocation location : locator.getAllRegionLocations()) {
              if (location.getServerName().equals(name)) {
                return false;
              }
            }
            int rows = FullScans.count(bench.connection(), TABLE, bench.violations());
            return rows == REGIONS * ROWS_PER_REGION;
          }
        });
  }

  /** The files once they have stopped to change. */
  private Map<String, String> stillFiles(ServerName name)
      throws ToolException, IOException, InterruptedException {
    Map<String, String> last = files(name);
    for (int tries = 0; tries < 10; tries++) {
      TimeUnit.MILLISECONDS.sleep(STILL.toMillis());
      Map<String, String> now = files(name);
      if (FileSums.difference(last, now).isEmpty()) {
        return now;
      }
      last = now;
    }
    throw new ToolException("files go on changing while nothing is written");
  }

  /** All that a region server writes, but for the logs of others, which write their own. */
  private Map<String, String> files(ServerName name) throws IOException {
    Path root = bench.root();
    String top = root.toUri().getPath();
    String logs = top + "/WALs/";
    String masters = top + "/MasterData/";
    return FileSums.of(
        bench.hdfs(),
        root,
        path ->
            !path.startsWith(masters) && (!path.startsWith(logs) || path.startsWith(logs + name)));
  }

  /** What was acknowledged before the pause. */
  private void requireVisited(List<byte[]> rows) throws ToolException, IOException {
    try (Table table = bench.connection().getTable(TABLE)) {
      for (byte[] row : rows) {
        if (!table.get(new Get(row)).containsColumn(FAMILY, PENDING)) {
          throw new ToolException("the put of " + Bytes.toString(row) + " is missing");
        }
      }
    }
  }

  private static void require(
      PendingPuts pending, int sent, Map<String, String> before, Map<String, String> after)
      throws ToolException, InterruptedException {
    int acknowledged = pending.acknowledged();
    if (acknowledged > 0) {
      throw new ToolException(
          acknowledged + " of " + sent + " puts were acknowledged after the session had ended");
    }
    String difference = FileSums.difference(before, after);
    if (!difference.isEmpty()) {
      throw new ToolException("a file has changed after the session had ended: " + difference);
    }
    System.out.print("(" + after.size() + " files, " + sent + " puts) ");
  }
}
