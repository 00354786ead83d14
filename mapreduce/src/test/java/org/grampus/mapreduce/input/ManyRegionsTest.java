package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Time;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plan of 10,000 regions asks the master and the servers as often as a plan of few, and opens no
 * file of a region that it does not cut. What it asks a file system it asks side by side. Its time
 * is printed and not asserted: it is that of the calls counted here.
 */
class ManyRegionsTest {
  private static final TableName NAME = TableName.valueOf("many");
  private static final int REGIONS = 10_000;
  private static final int SERVERS = 50;
  private static final long REGION_BYTES = 100L << 20;

  @TempDir Path root;
  private Configuration conf;

  @BeforeEach
  void configure() {
    conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", root.toUri().toString());
    conf.set(org.apache.hadoop.hbase.mapreduce.TableInputFormat.INPUT_TABLE, NAME.toString());
  }

  private static byte[] key(int region) {
    return Bytes.toBytes(String.format("%05d", region));
  }

  /** Calls that a plan of the table makes, and the splits that it has. */
  private Map<String, Integer> calls(int regions, int expectedSplits) throws Exception {
    return calls(new CountedTable(conf, NAME, regions, SERVERS), regions, expectedSplits);
  }

  private Map<String, Integer> calls(CountedTable table, int regions, int expectedSplits)
      throws Exception {
    Job job = Job.getInstance(conf);
    TableInputFormat format = new TableInputFormat();
    format.setConf(job.getConfiguration());
    format.initializeTable(table.connection(), NAME);
    long begun = Time.monotonicNow();
    List<InputSplit> splits = format.getSplits(job);
    System.out.println(
        splits.size()
            + " splits of "
            + regions
            + " regions in "
            + (Time.monotonicNow() - begun)
            + " ms");
    assertEquals(expectedSplits, splits.size());
    byte[] end = new byte[0];
    for (InputSplit split : splits) {
      assertArrayEquals(end, ((TableSplit) split).getStartRow());
      end = ((TableSplit) split).getEndRow();
    }
    assertEquals(0, end.length, "the last one is open");
    return table.calls();
  }

  @Test
  void aTableIsListedTwiceAndEachServerIsAskedOnce() throws Exception {
    assertEquals(
        Map.of("cached location", REGIONS, "getAllRegionLocations", 2, "getRegionMetrics", SERVERS),
        calls(REGIONS, REGIONS));
  }

  @Test
  void fewSplitsOfManyRegionsAskNoServerForPieces() throws Exception {
    conf.setInt("grampus.mapreduce.splits", 20);
    Map<String, Integer> calls = calls(REGIONS, 20);
    assertEquals(SERVERS, calls.get("getRegionMetrics"));
    assertTrue(!calls.containsKey("coprocessorService"), calls.toString());
  }

  /** As in a cluster for tests, whose servers differ by their ports alone. */
  @Test
  void splitsPerServerAreOfServersAndNotOfHosts() throws Exception {
    conf.setInt("grampus.mapreduce.splits.per.server", 2);
    int perServer = REGIONS / SERVERS;
    calls(
        new CountedTable(
            conf, NAME, REGIONS, i -> ServerName.valueOf("host", i / perServer + 1, 1)),
        REGIONS,
        2 * SERVERS);
  }

  /** A manifest as HBase writes it. Of the files that it names there is none. */
  private void writeSnapshot(int regions, int files) throws IOException {
    SnapshotDataManifest.Builder manifest =
        SnapshotDataManifest.newBuilder()
            .setTableSchema(
                ProtobufUtil.toTableSchema(
                    TableDescriptorBuilder.newBuilder(NAME)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                        .build()));
    for (int i = 0; i < regions; i++) {
      RegionInfo region =
          RegionInfoBuilder.newBuilder(NAME)
              .setRegionId(1)
              .setStartKey(i == 0 ? new byte[0] : key(i))
              .setEndKey(i == regions - 1 ? new byte[0] : key(i + 1))
              .build();
      FamilyFiles.Builder family =
          manifest
              .addRegionManifestsBuilder()
              .setRegionInfo(ProtobufUtil.toRegionInfo(region))
              .addFamilyFilesBuilder()
              .setFamilyName(ByteString.copyFromUtf8("f"));
      for (int file = 0; file < files; file++) {
        family
            .addStoreFilesBuilder()
            .setName(String.format("%032x", i * files + file))
            .setFileSize(REGION_BYTES);
      }
    }
    Path dir = Files.createDirectories(root.resolve(".hbase-snapshot/s"));
    try (OutputStream out = Files.newOutputStream(dir.resolve(".snapshotinfo"))) {
      SnapshotDescription.newBuilder()
          .setName("s")
          .setTable(NAME.toString())
          .setVersion(2)
          .build()
          .writeTo(out);
    }
    try (OutputStream out = Files.newOutputStream(dir.resolve("data.manifest"))) {
      manifest.build().writeTo(out);
    }
  }

  @Test
  void aSnapshotIsPlannedFromItsManifestAlone() throws Exception {
    writeSnapshot(REGIONS, 1);
    conf.setClass("fs.counted.impl", CountedFiles.class, org.apache.hadoop.fs.FileSystem.class);
    conf.set("hbase.rootdir", "counted://" + root);
    conf.set(HBaseKeys.SNAPSHOT_NAME, "s");
    conf.setBoolean("hbase.TableSnapshotInputFormat.locality.enabled", false);
    for (int wanted : new int[] {0, 20}) {
      if (wanted > 0) {
        conf.setInt("grampus.mapreduce.splits", wanted);
      }
      CountedFiles.CALLS.set(0);
      long begun = Time.monotonicNow();
      List<InputSplit> splits = new SnapshotInputFormat().getSplits(Job.getInstance(conf));
      System.out.println(
          splits.size() + " splits of a snapshot in " + (Time.monotonicNow() - begun) + " ms");
      assertEquals(wanted > 0 ? wanted : REGIONS, splits.size());
      assertTrue(CountedFiles.CALLS.get() < 20, CountedFiles.CALLS + " calls of the file system");
    }
  }

  /** Each file is asked about twice, and several are at a time, as each call takes long. */
  @Test
  void placesOfASnapshotsFilesAreAskedForSideBySide() throws Exception {
    int files = 2;
    writeSnapshot(REGIONS, files);
    conf.setClass("fs.distant.impl", DistantFiles.class, org.apache.hadoop.fs.FileSystem.class);
    conf.set("hbase.rootdir", "distant://" + root);
    conf.set(HBaseKeys.SNAPSHOT_NAME, "s");
    long begun = Time.monotonicNow();
    List<InputSplit> splits = new SnapshotInputFormat().getSplits(Job.getInstance(conf));
    System.out.println(
        splits.size() + " placed splits in " + (Time.monotonicNow() - begun) + " ms");
    assertEquals(REGIONS, splits.size());
    assertEquals("[host]", Arrays.toString(splits.get(0).getLocations()));
    assertEquals(2 * REGIONS * files, DistantFiles.CALLS.get());
    assertTrue(DistantFiles.MOST.get() > 1, "one call after the other");
    assertTrue(DistantFiles.MOST.get() <= 8, DistantFiles.MOST + " calls at a time");
  }

  /** Files of a snapshot that are not there, and are asked about over a network. */
  public static final class DistantFiles extends RawLocalFileSystem {
    static final AtomicInteger CALLS = new AtomicInteger();
    static final AtomicInteger MOST = new AtomicInteger();
    private static final AtomicInteger RUNNING = new AtomicInteger();
    private static final long LATENCY_NANOS = 500_000;

    /** For Hadoop. */
    public DistantFiles() {}

    @Override
    public java.net.URI getUri() {
      return java.net.URI.create("distant:///");
    }

    @Override
    public String getScheme() {
      return "distant";
    }

    private static void call() {
      CALLS.incrementAndGet();
      MOST.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
      LockSupport.parkNanos(LATENCY_NANOS);
      RUNNING.decrementAndGet();
    }

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      if (!path.toString().contains("/data/")) {
        return super.getFileStatus(path);
      }
      call();
      return new FileStatus(REGION_BYTES, false, 1, REGION_BYTES, 0, path);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) {
      call();
      String[] names = {"host:1"};
      return new BlockLocation[] {new BlockLocation(names, new String[] {"host"}, start, length)};
    }
  }

  /** Local files whose calls are counted. */
  public static final class CountedFiles extends RawLocalFileSystem {
    static final AtomicInteger CALLS = new AtomicInteger();

    /** For Hadoop. */
    public CountedFiles() {}

    @Override
    public java.net.URI getUri() {
      return java.net.URI.create("counted:///");
    }

    @Override
    public String getScheme() {
      return "counted";
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path path, int bufferSize)
        throws IOException {
      CALLS.incrementAndGet();
      return super.open(path, bufferSize);
    }

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      CALLS.incrementAndGet();
      return super.getFileStatus(path);
    }

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws IOException {
      CALLS.incrementAndGet();
      return super.listStatus(path);
    }
  }
}
