package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.grampus.engine.CompactionRequest;
import org.grampus.engine.RegionStats;
import org.grampus.server.env.Env;
import org.grampus.server.region.BlockLocality;
import org.grampus.server.region.LoadReport;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.testkit.StatsOfRegions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which bytes of a region are on a server's host, by the name node's word. */
@Tag("hdfs")
class BlockLocalityTest {
  private static final List<String> HOSTS =
      List.of("one.example.org", "two.example.org", "three.example.org");

  @TempDir private Path directory;

  private final RegionRegistry registry =
      new RegionRegistry(() -> ServerName.valueOf(HOSTS.get(0), 1, 1));
  private MiniHdfs hdfs;
  private RegionFiles files;
  private HdfsServer server;

  @BeforeEach
  void start() throws IOException {
    hdfs = MiniHdfs.withHosts(directory, HOSTS);
    Configuration conf = hdfs.conf();
    conf.setInt("dfs.replication", 1);
    files = new RegionFiles(conf);
    HdfsServer.describeTable(files);
    server = new HdfsServer(files, "a").open();
    registry.add(server.online());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    files.close();
    hdfs.close();
  }

  private RegionLoad refreshed(BlockLocality locality) {
    locality.refresh();
    return load();
  }

  private RegionLoad load() {
    return LoadReport.regions(registry.all(), server.engine().regionStats()).get(0);
  }

  private BlockLocality locality(String host) {
    return new BlockLocality(files, registry, server.engine()::regionStats, host);
  }

  @Test
  void eachBlockIsLocalWhereItsReplicaIs() throws Exception {
    assertPart(0, load(), "before the first refresh");
    BlockLocality here = locality(HOSTS.get(0));
    assertPart(0, refreshed(here), "without files");
    for (int row = 0; row < 20; row += 10) { // as many files as no compaction takes by itself
      server.put(row, row + 10);
      server.raw().flush();
    }
    long all = 0;
    for (String host : HOSTS) {
      RegionLoad load = refreshed(locality(host));
      assertEquals(bytesOn(host), load.getBlocksLocalWeight(), host);
      assertEquals(bytes(), load.getBlocksTotalWeight());
      assertPart((float) bytesOn(host) / bytes(), load, host);
      all += load.getBlocksLocalWeight();
    }
    assertEquals(bytes(), all);
    assertPart(0, refreshed(locality("four.example.org")), "a host without a data node");
    assertEquals(
        bytesOn(HOSTS.get(0)), refreshed(here).getBlocksLocalWeight(), "files have changed");
    server.raw().compact(new CompactionRequest(null, true));
    awaitOneFile();
    assertEquals(bytesOn(HOSTS.get(0)), refreshed(here).getBlocksLocalWeight(), "one file is left");
    assertEquals(bytes(), load().getBlocksTotalWeight());
  }

  @Test
  void aRegionThatIsOpenedAnewIsLookedUpAnew() throws Exception {
    BlockLocality here = locality(HOSTS.get(0));
    server.put(0, 10);
    server.raw().flush();
    assertEquals(bytes(), refreshed(here).getBlocksTotalWeight());
    registry.remove(HdfsServer.REGION.getEncodedName());
    server.raw().close(false);
    registry.add(server.open().online());
    assertPart(0, load(), "before it is looked up");
    assertEquals(0, load().getBlocksTotalWeight());
    assertEquals(bytes(), refreshed(here).getBlocksTotalWeight());
  }

  @Test
  void aRegionThatCannotBeReadKeepsNoOtherFromBeingLookedUp() throws Exception {
    server.put(0, 10);
    server.raw().flush();
    org.apache.hadoop.fs.Path table = files.tableDir(hidden(0).info());
    hdfs.fs().mkdirs(table);
    hdfs.fs().setPermission(table, new FsPermission((short) 0));
    for (int n = 0; registry.all().iterator().next() == server.online(); n++) {
      registry.add(hidden(n));
    }
    Map<String, RegionStats> stats = new HashMap<>(server.engine().regionStats());
    for (OnlineRegion region : registry.all()) {
      stats.putIfAbsent(region.encodedName(), StatsOfRegions.withoutFiles());
    }
    new BlockLocality(files, registry, () -> stats, HOSTS.get(0)).refresh();
    assertEquals(bytes(), load().getBlocksTotalWeight());
  }

  /** A region of a table in whose directory nobody may look. */
  private static OnlineRegion hidden(int number) {
    TableName name = TableName.valueOf("hidden");
    return new OnlineRegion(
        RegionInfoBuilder.newBuilder(name).setRegionId(number).build(),
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build(),
        null,
        1);
  }

  /** The others are in the archive. */
  private void awaitOneFile() throws IOException, InterruptedException {
    long begun = Env.nanos();
    while (server.storeFiles() != 1 || columnFiles().length != 1) {
      assertTrue(Env.nanos() - begun < 60_000_000_000L, "the compaction does not end");
      Env.sleep(Duration.ofMillis(50));
    }
  }

  private static void assertPart(float expected, RegionLoad load, String when) {
    assertTrue(load.hasDataLocality() && load.hasDataLocalityForSsd(), when);
    assertEquals(expected, load.getDataLocality(), 1e-6f, when);
    assertEquals(0, load.getDataLocalityForSsd(), when);
  }

  private FileStatus[] columnFiles() throws IOException {
    return hdfs.fs()
        .listStatus(new org.apache.hadoop.fs.Path(files.regionDir(HdfsServer.REGION), "f"));
  }

  private long bytes() throws IOException {
    long bytes = 0;
    for (FileStatus file : columnFiles()) {
      bytes += file.getLen();
    }
    return bytes;
  }

  private long bytesOn(String host) throws IOException {
    long bytes = 0;
    for (FileStatus file : columnFiles()) {
      for (BlockLocation block : hdfs.fs().getFileBlockLocations(file, 0, file.getLen())) {
        bytes += List.of(block.getHosts()).contains(host) ? block.getLength() : 0;
      }
    }
    return bytes;
  }
}
