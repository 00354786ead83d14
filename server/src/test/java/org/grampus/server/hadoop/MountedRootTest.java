package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.grampus.engine.LoadRequest;
import org.grampus.server.region.LoadSource;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.StagingArea;
import org.grampus.server.testkit.ColumnFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A root directory behind a table of mounts: its files are HDFS's, by whichever name. */
@Tag("hdfs")
class MountedRootTest {
  private static final String LINK = "fs.viewfs.mounttable.cluster.link.";
  private static final Path ROOT = new Path("viewfs://cluster/tables");

  @TempDir java.nio.file.Path directory;

  private MiniHdfs hdfs;
  private Configuration conf;
  private FileSystem masters;

  @BeforeEach
  void start() throws IOException {
    hdfs = new MiniHdfs(directory);
    conf = hdfs.conf();
    conf.set(LINK + "/tables", hdfs.uri("/hbase"));
    conf.set(LINK + "/logs", hdfs.uri("/hbase-logs/of/cluster"));
    conf.set(LINK + "/clients", hdfs.uri("/c"));
    conf.set("hbase.rootdir", ROOT.toString());
    conf.set("fs.defaultFS", "viewfs://cluster/");
    masters = FileSystem.newInstance(ROOT.toUri(), conf);
  }

  @AfterEach
  void stop() throws IOException {
    masters.close();
    hdfs.close();
  }

  @Test
  void leasesAreRecoveredBehindTheNamesThatTheMasterUses() throws Exception {
    try (RegionFiles files = new RegionFiles(conf)) {
      goOnAfterADeath(files, ROOT);
      assertNull(files.walPlace());
    }
    assertTrue(hdfs.fs().exists(new Path("/hbase/data/default/t")));
  }

  @Test
  void aLogDirectoryThatIsTheRootIsNamedByItsPlaceToo() throws Exception {
    conf.set("hbase.wal.dir", ROOT.toString());
    try (RegionFiles files = new RegionFiles(conf)) {
      assertEquals(hdfs.uri("/hbase"), files.settings().get("hbase.wal.dir"));
      assertNull(files.walPlace());
    }
  }

  @Test
  void logsMayLieBehindAMountOfTheirOwn() throws Exception {
    Path logs = new Path("viewfs://cluster/logs");
    conf.set("hbase.wal.dir", logs.toString());
    IOException missing = assertThrows(IOException.class, () -> new RegionFiles(conf));
    assertTrue(missing.getMessage().startsWith("hbase.wal.dir is " + logs), missing::getMessage);
    assertTrue(masters.mkdirs(new Path(logs, "WALs"))); // of a mount itself it makes nothing
    try (RegionFiles files = new RegionFiles(conf)) {
      goOnAfterADeath(files, logs);
      assertEquals(hdfs.uri("/hbase-logs/of/cluster"), files.walPlace());
    }
  }

  /** Its log's segments are split by the master's names for them. */
  private void goOnAfterADeath(RegionFiles files, Path masterLogs) throws IOException {
    assertEquals(new Path(hdfs.uri("/hbase")), files.root());
    assertEquals(ROOT, files.namedRoot());
    assertTrue(files.fileSystem() instanceof DistributedFileSystem);
    HdfsServer.describeTable(files);
    try (HdfsServer dead = new HdfsServer(files, "a").open();
        HdfsServer next = new HdfsServer(files, "b")) {
      dead.put(0, 10);
      dead.raw().flush();
      dead.put(10, 20);
      next.recover("a", masters, masterLogs);
      next.open();
      assertEquals(10, next.raw().openReport().replayedEdits());
      next.assertRows(20);
    }
  }

  @Test
  void ordersThatLeadOutOfTheLogsAreRefused() throws IOException {
    try (RegionFiles files = new RegionFiles(conf)) {
      assertEquals(
          new Path(hdfs.uri("/hbase/WALs/a/a%2C1.1")),
          files.resolve("viewfs://cluster/tables/WALs/a/a%2C1.1"));
      for (String path : new String[] {"/clients/f", "/tables", "/tables/../clients/f"}) {
        assertThrows(
            DoNotRetryIOException.class, () -> files.resolve("viewfs://cluster" + path), path);
      }
    }
  }

  @Test
  void clientsLoadFilesByTheNamesOfMounts() throws IOException {
    Path file = new Path("viewfs://cluster/clients/a");
    ColumnFiles.write(directory.resolve("a"), "f", "loaded", HdfsServer.row(0));
    masters.copyFromLocalFile(new Path(directory.resolve("a").toUri()), file);
    try (RegionFiles files = new RegionFiles(conf)) {
      HdfsServer.describeTable(files);
      StagingArea staging = StagingArea.of(files);
      String token = staging.prepare("someone", HdfsServer.TABLE);
      String own = ROOT + "/data/default/t/file";
      masters.create(new Path(own)).close();
      for (String refused : new String[] {own, "viewfs://cluster/nowhere/a"}) {
        assertThrows(DoNotRetryIOException.class, () -> source(staging, token, refused), refused);
      }
      try (HdfsServer server = new HdfsServer(files, "a").open()) {
        LoadRequest.File source = source(staging, token, file.toUri().getPath());
        assertEquals(hdfs.uri("/c/a"), source.path());
        server
            .raw()
            .loadFiles(
                new LoadRequest(
                    List.of(source(staging, token, file.toString())), false, true, false),
                () -> true);
        assertFalse(masters.exists(file));
        server.assertRows(1);
      }
    }
  }

  private static LoadRequest.File source(StagingArea staging, String token, String path)
      throws IOException {
    return LoadSource.of(staging, token, Bytes.toBytes("f"), path);
  }
}
