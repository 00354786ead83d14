package org.grampus.server.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which store of a master is made again, and that no other is touched. */
class MasterStoreTest {
  private static final String REGION = "1595e783b53d99cd5eef43b6debb2682";

  @TempDir Path directory;
  private Configuration conf;
  private Path data;
  private Path table;

  @BeforeEach
  void makeWhatAStartMakesFirst() throws IOException {
    conf = HBaseConfiguration.create();
    conf.set(HConstants.HBASE_DIR, directory.resolve("hbase").toUri().toString());
    data = directory.resolve("hbase/MasterData");
    table = data.resolve("data/master/store");
    Files.createDirectories(table.resolve(".initialized"));
    write(table.resolve(".tabledesc/.tableinfo.0000000001.1"));
  }

  private static void write(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[] {1});
  }

  private List<Path> paths() throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.sorted().toList();
    }
  }

  @Test
  void aMarkWithoutARegion() throws IOException {
    MasterStore.removeUnfinished(conf);
    assertFalse(Files.exists(table));
    assertTrue(Files.isDirectory(table.getParent()));
  }

  @Test
  void aRegionWithoutItsLog() throws IOException {
    Files.createDirectories(table.resolve(REGION));
    Files.createFile(table.resolve(REGION).resolve(".regioninfo"));
    Files.createDirectories(data.resolve("WALs/localhost,16000,1"));
    MasterStore.removeUnfinished(conf);
    assertFalse(Files.exists(table));
  }

  @Test
  void nothingAtAll() throws IOException {
    conf.set(HConstants.HBASE_DIR, directory.resolve("fresh").toUri().toString());
    List<Path> before = paths();
    MasterStore.removeUnfinished(conf);
    assertEquals(before, paths());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WALs/localhost,16000,1/log",
        "WALs/localhost,16000,1-dead/log",
        "oldWALs/log$masterlocalwal$",
        "data/master/store/" + REGION + "/recovered.wals/log",
        "data/master/store/" + REGION + "/proc/0123456789abcdef0123456789abcdef",
        "archive/data/master/store/" + REGION + "/proc/0123456789abcdef0123456789abcdef",
      })
  void aStoreThatMayHoldData(String file) throws IOException {
    write(data.resolve(file));
    List<Path> before = paths();
    MasterStore.removeUnfinished(conf);
    assertEquals(before, paths());
  }

  @Test
  void aStoreWithItsLogsElsewhere() throws IOException {
    conf.set("hbase.wal.dir", directory.resolve("wals").toUri().toString());
    write(directory.resolve("wals/MasterData/WALs/localhost,16000,1/log"));
    List<Path> before = paths();
    MasterStore.removeUnfinished(conf);
    assertEquals(before, paths());
  }
}
