package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.grampus.engine.CompactionRequest;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.NativeRegion;
import org.grampus.engine.SplitRequest;
import org.grampus.server.env.Env;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionOpener;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that follow each other on one region on HDFS, each killed at a random change that it
 * makes there, whatever it is at: its start, the split of the logs before it, the open, a put, a
 * delete, a flush, a compaction. What was acknowledged is there, what was deleted is not back, and
 * the one change that was under way is there or not. Logs have either stream, and are flushed or
 * synced.
 */
@Tag("hdfs")
class HdfsCrashTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(NAME).build();
  private static final int SERVERS = Integer.getInteger("grampus.hdfs.crashes", 6);
  private static final int STEPS = 30;
  private static final int ROWS = 12;

  /** A server's start, the split of one log and the open take about thirty. */
  private static final int CHANGES_MAX = 90;

  @TempDir Path directory;

  private final long seed = Long.getLong("grampus.seed", Env.nanos());
  private final Random random = new Random(seed);
  private final Map<String, String> expected = new HashMap<>();
  private final List<AutoCloseable> clients = new ArrayList<>();
  private Configuration conf;
  private RegionFiles files;
  private long clock;

  /** The row whose change was under way when the server died, and what it would be; or null. */
  private String doubtful;

  private String doubtfulValue;

  @Test
  void aServerThatDiesAtAnyChangeLosesNothing() throws Exception {
    System.out.println("HdfsCrashTest: seed " + seed); // -Dgrampus.seed repeats the choices
    try (MiniHdfs hdfs = new MiniHdfs(directory)) {
      conf = hdfs.conf();
      files = new RegionFiles(conf);
      new FSTableDescriptors(files.fileSystem(), files.root())
          .createTableDescriptor(
              TableDescriptorBuilder.newBuilder(NAME)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .build());
      int opened = 0;
      for (int number = 0; number < SERVERS; number++) {
        opened += live("s" + number, 1 + random.nextInt(CHANGES_MAX)) ? 1 : 0;
      }
      assertTrue(opened >= SERVERS / 4, opened + " servers have opened the region");
      assertTrue(live("last", Integer.MAX_VALUE), "the last server lives");
      for (AutoCloseable client : clients) {
        client.close();
      }
    }
  }

  /** The life of a server; returns whether it has opened the region. */
  private boolean live(String name, int changes) throws Exception {
    MortalFiles mortal = new MortalFiles(changes, random.nextBoolean());
    conf.set(LogStreamKind.KEY, random.nextBoolean() ? "asyncfs" : "filesystem");
    HadoopFiles store = new HadoopFiles(conf);
    clients.add(store);
    EngineConfig config = random.nextBoolean() ? HdfsServer.SYNCING : EngineConfig.DEFAULTS;
    NativeEngine engine = NativeEngine.open(config, null, mortal.of(store));
    OnlineRegion online = null;
    try {
      engine.startWal(place("WALs/" + name), place("oldWALs"), name);
      recoverOthers(engine, name);
      online = new RegionOpener(conf, engine, files).open(REGION);
      LocalRegion region = LocalRegion.of(online);
      compare(region);
      for (int step = 0; step < STEPS; step++) {
        step(engine, region);
      }
    } catch (RuntimeException | IOException e) {
      if (!mortal.isDead() || isBug(e)) {
        throw e;
      }
    }
    mortal.kill();
    end(engine, online);
    return online != null;
  }

  /** Not even a server that is dead may find that its engine does not understand itself. */
  private static boolean isBug(Exception e) {
    return e instanceof EngineException failure && failure.kind() == ErrorKind.BUG;
  }

  private String place(String path) {
    return RegionFiles.place(new org.apache.hadoop.fs.Path(files.walRoot(), path));
  }

  /** What the master does with the logs of the servers before: out of their reach, and split. */
  private void recoverOthers(NativeEngine splitter, String self) throws IOException {
    org.apache.hadoop.fs.Path logs = new org.apache.hadoop.fs.Path(files.walRoot(), "WALs");
    for (FileStatus dead : files.fileSystem().listStatus(logs)) {
      org.apache.hadoop.fs.Path splitting = dead.getPath();
      if (splitting.getName().equals(self)) {
        continue;
      }
      if (!splitting.getName().endsWith("-splitting")) {
        splitting = splitting.suffix("-splitting");
        assertTrue(files.fileSystem().rename(dead.getPath(), splitting));
      }
      for (FileStatus segment : files.fileSystem().listStatus(splitting)) {
        split(splitter, segment.getPath());
      }
      assertTrue(files.fileSystem().delete(splitting, false));
    }
  }

  private void split(NativeEngine splitter, org.apache.hadoop.fs.Path segment) throws IOException {
    splitter.splitWal(
        new SplitRequest(
            RegionFiles.place(segment), RegionFiles.place(files.root()), files.walPlace()));
    org.apache.hadoop.fs.Path archive =
        new org.apache.hadoop.fs.Path(files.walRoot(), "oldWALs/" + segment.getName());
    assertTrue(files.fileSystem().rename(segment, archive));
  }

  /** All rows; the doubtful one is what it is from now on. */
  private void compare(LocalRegion region) {
    for (int number = 0; number < ROWS; number++) {
      String row = "row" + number;
      String found = region.value(row);
      String wanted = expected.get(row);
      if (row.equals(doubtful)) {
        assertTrue(
            Objects.equals(found, wanted) || Objects.equals(found, doubtfulValue),
            row + " is " + found + ", not " + wanted + " or " + doubtfulValue);
        expected.put(row, found);
      } else {
        assertEquals(wanted, found, row);
      }
    }
    doubtful = null;
  }

  private void step(NativeEngine engine, LocalRegion region) {
    NativeRegion raw = (NativeRegion) region.online().engine();
    switch (random.nextInt(10)) {
      case 0, 1 -> raw.flush();
      case 2 -> raw.compact(new CompactionRequest(null, true));
      case 3, 4 -> change(engine, region, null);
      default -> change(engine, region, "value " + clock);
    }
  }

  /** Puts a value, or deletes it where it is null. */
  private void change(NativeEngine engine, LocalRegion region, String value) {
    clock++;
    String row = "row" + random.nextInt(ROWS);
    doubtful = row;
    doubtfulValue = value;
    if (value == null) {
      region.deleteAcknowledged(engine, row, clock);
    } else {
      region.putAcknowledged(engine, row, value, clock);
    }
    doubtful = null;
    expected.put(row, value);
  }

  /** Frees its memory and threads: a killed process closes nothing, and reaches nothing. */
  private static void end(NativeEngine engine, OnlineRegion online) {
    try {
      if (online != null) {
        online.engine().close(true);
      }
    } finally {
      LocalRegion.abandon(engine);
    }
  }
}
