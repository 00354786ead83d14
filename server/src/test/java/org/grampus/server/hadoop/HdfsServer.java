package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.NativeRegion;
import org.grampus.engine.SplitRequest;
import org.grampus.server.env.Env;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionOpener;

/** An engine with its own client of HDFS and its own log, and the region of a table in it. */
final class HdfsServer implements AutoCloseable {
  static final TableName TABLE = TableName.valueOf("t");

  /** Every write waits for media. */
  static final EngineConfig SYNCING =
      new EngineConfig(
          null,
          new EngineConfig.Wal(128L << 20, EngineConfig.Sync.FSYNC, false),
          null,
          null,
          null,
          null);

  static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();

  private final RegionFiles files;
  private final HadoopFiles store;
  private final NativeEngine engine;
  private OnlineRegion online;
  private LocalRegion region;

  /** A server whose log is named. */
  HdfsServer(RegionFiles files, String name) {
    this.files = files;
    this.store = new HadoopFiles(files.settings());
    boolean syncs = files.settings().getBoolean("hbase.wal.hsync", false);
    this.engine = NativeEngine.open(syncs ? SYNCING : EngineConfig.DEFAULTS, null, store);
    engine.startWal(
        RegionFiles.place(new Path(files.walRoot(), "WALs/" + name)),
        RegionFiles.place(new Path(files.walRoot(), "oldWALs")),
        name);
  }

  /** Makes the table's descriptor, as the master does. */
  static void describeTable(RegionFiles files) throws IOException {
    new FSTableDescriptors(files.fileSystem(), files.root())
        .createTableDescriptor(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build());
  }

  HdfsServer open() throws IOException {
    online = new RegionOpener(files.settings(), engine, files).open(REGION);
    region = LocalRegion.of(online);
    return this;
  }

  NativeEngine engine() {
    return engine;
  }

  HadoopFiles store() {
    return store;
  }

  /** Rolls a log that is on too few data nodes, until this is closed. */
  void watchReplicas() {
    store.replicas().start(engine::rollWal);
  }

  OnlineRegion online() {
    return online;
  }

  LocalRegion region() {
    return region;
  }

  NativeRegion raw() {
    return (NativeRegion) online.engine();
  }

  /** Puts rows, and waits until they are acknowledged. */
  void put(int from, int until) {
    for (int row = from; row < until; row++) {
      region.putAcknowledged(engine, row(row), "value " + row);
    }
  }

  long storeFiles() {
    return raw().stats().storeFileCount();
  }

  static String row(int number) {
    return String.format("row%05d", number);
  }

  /** That the region has these rows, and not the next. */
  void assertRows(int until) {
    for (int row = 0; row < until; row++) {
      assertTrue(region.has(row(row)), row(row));
    }
    assertFalse(region.has(row(until)));
  }

  void awaitOneFile() throws InterruptedException {
    long begun = Env.nanos();
    while (storeFiles() != 1) {
      assertTrue(Env.nanos() - begun < 60_000_000_000L, "the compaction does not end");
      Env.sleep(Duration.ofMillis(50));
    }
  }

  /**
   * What the master does with the log of a dead server: out of its reach, split here, moved away.
   *
   * @param fs the master's
   * @param logs the master's name for the directory of the logs
   */
  void recover(String dead, FileSystem fs, Path logs) throws IOException {
    Path directory = new Path(logs, "WALs/" + dead);
    Path splitting = directory.suffix("-splitting");
    assertTrue(fs.rename(directory, splitting));
    List<Path> segments = new ArrayList<>();
    for (FileStatus segment : fs.listStatus(splitting)) {
      segments.add(segment.getPath());
    }
    assertFalse(segments.isEmpty());
    for (Path segment : segments) {
      engine.splitWal(
          new SplitRequest(
              RegionFiles.place(files.resolve(segment.toString())),
              RegionFiles.place(files.root()),
              files.walPlace()));
      assertTrue(fs.rename(segment, new Path(logs, "oldWALs/" + segment.getName())));
    }
    assertTrue(fs.delete(splitting, false));
  }

  @Override
  public void close() throws IOException {
    try {
      store.replicas().stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (online != null) {
      raw().close(true);
    }
    LocalRegion.abandon(engine);
    store.close();
  }
}
