package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths and names that orders bring lead nowhere but below the root. */
class RegionFilesTest {
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  @TempDir private Path root;

  private Configuration conf;
  private RegionFiles files;

  @BeforeEach
  void open() throws IOException {
    conf = new Configuration();
    conf.set("hbase.rootdir", root.toUri().toString());
    files = new RegionFiles(conf);
  }

  @Test
  void pathsOfTheMasterAreRelativeOrAbsolute() throws IOException {
    Path log = root.resolve("WALs/a-splitting/a%2C1.1");
    String place = RegionFiles.place(files.resolve("WALs/a-splitting/a%2C1.1"));
    assertEquals(log.toString(), place);
    assertEquals(log.toString(), RegionFiles.place(files.resolve("file:" + log)));
  }

  @Test
  void logsMayLieApart() throws IOException {
    conf.set("hbase.wal.dir", root.resolveSibling("logs").toUri().toString());
    RegionFiles apart = new RegionFiles(conf);
    String log = RegionFiles.place(apart.resolve("WALs/a/a.1"));
    assertEquals(root.resolveSibling("logs") + "/WALs/a/a.1", log);
    assertThrows(DoNotRetryIOException.class, () -> apart.resolve("file:" + root + "/WALs/a.1"));
    assertTrue(apart.areLocal());
    assertEquals(root.resolveSibling("logs").toString(), apart.walPlace());
    assertNull(files.walPlace(), "nothing lies apart");
  }

  @Test
  void logsOfThisMachineAloneAreRefusedBesideARootOfACluster() {
    conf.set("hbase.rootdir", "hdfs://127.0.0.1:1/hbase");
    conf.set("hbase.wal.dir", root.toUri().toString());
    IOException refused = assertThrows(IOException.class, () -> new RegionFiles(conf));
    assertTrue(refused.getMessage().contains("other servers cannot read"), refused.getMessage());
  }

  /** No other machine is asked, and no class of the file system is needed. */
  @ParameterizedTest
  @ValueSource(strings = {"s3a://bucket/hbase", "webhdfs://127.0.0.1:1/hbase", "nowhere://a/b"})
  void fileSystemsThatCannotHaveTheFilesAreRefusedByTheKeyThatNamesThem(String dir) {
    conf.set("hbase.rootdir", dir);
    assertEquals("hbase.rootdir is " + dir, refusal());
    conf.set("hbase.rootdir", "hdfs://127.0.0.1:1/hbase");
    conf.set("hbase.wal.dir", dir);
    assertEquals("hbase.wal.dir is " + dir, refusal());
  }

  /** Also where streams of logs need not last. */
  @ParameterizedTest
  @ValueSource(classes = {ViewFileSystemOverloadScheme.class, ViewDistributedFileSystem.class})
  void mountsUnderTheSchemeOfWhatIsBehindThemAreRefused(Class<?> mounts) {
    conf.set("fs.hdfs.impl", mounts.getName());
    conf.set("hbase.rootdir", "hdfs://127.0.0.1:1/hbase");
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    assertEquals(
        "hbase.rootdir is hdfs://127.0.0.1:1/hbase, and fs.hdfs.impl is "
            + mounts.getName()
            + ", whose mounts hide where a directory is. Name it by viewfs: in hbase.rootdir, or on"
            + " HDFS without fs.hdfs.impl",
        assertThrows(IOException.class, () -> new RegionFiles(conf)).getMessage());
  }

  /** What a refusal says up to its first comma; its end says what to do. */
  private String refusal() {
    String text = assertThrows(IOException.class, () -> new RegionFiles(conf)).getMessage();
    String key = text.substring(0, text.indexOf(' '));
    assertTrue(text.endsWith("Name a directory on HDFS in " + key), text);
    return text.substring(0, text.indexOf(','));
  }

  /** No name node is asked for any of it. */
  @Test
  void aNameNodeMayHaveAnotherNameAtTheMaster() throws IOException {
    conf.set("hbase.rootdir", "hdfs://127.0.0.1:1/hbase");
    try (RegionFiles remote = new RegionFiles(conf)) {
      String log = RegionFiles.place(remote.resolve("hdfs://localhost/hbase/WALs/a/a%2C1.1"));
      assertEquals("hdfs://127.0.0.1:1/hbase/WALs/a/a%2C1.1", log);
      assertThrows(
          DoNotRetryIOException.class, () -> remote.resolve("hdfs://localhost/hbase2/WALs/a.1"));
      assertThrows(DoNotRetryIOException.class, () -> remote.resolve("file:///hbase/WALs/a/a.1"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../outside",
        "WALs/../../outside",
        "/etc/passwd",
        "file:///etc/passwd",
        ".",
        "WALs/.."
      })
  void pathsThatLeadOutAreRefused(String path) {
    assertThrows(DoNotRetryIOException.class, () -> files.resolve(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../evil", "a/b", "", "-first", "a b"})
  void namesOfSnapshotsThatAreNoneAreRefused(String name) {
    RegionSnapshots snapshots = new RegionSnapshots(conf, files);
    SnapshotDescription snapshot =
        SnapshotDescription.newBuilder()
            .setName(name)
            .setTable("t")
            .setType(SnapshotDescription.Type.SKIPFLUSH)
            .build();
    assertThrows(DoNotRetryIOException.class, () -> snapshots.add(snapshot, null));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10})
  void aRegionInfoOfWhichAPartWasWrittenIsWrittenAgain(int bytes) throws IOException {
    Path info = prepared();
    byte[] whole = Files.readAllBytes(info);
    assertArrayEquals(RegionInfo.toDelimitedByteArray(REGION), whole);
    Files.write(info, Arrays.copyOf(whole, bytes));
    prepared();
    assertArrayEquals(whole, Files.readAllBytes(info));
  }

  @Test
  void aWholeRegionInfoStays() throws IOException {
    Path info = prepared();
    FileTime old = FileTime.fromMillis(1000);
    Files.setLastModifiedTime(info, old);
    prepared();
    assertEquals(old, Files.getLastModifiedTime(info));
    Files.delete(info);
    prepared();
    assertTrue(Files.exists(info));
  }

  /** The region's file, when all of it has been made where it was missing. */
  private Path prepared() throws IOException {
    files.prepare(
        REGION,
        TableDescriptorBuilder.newBuilder(REGION.getTable())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build());
    return root.resolve("data/default/t").resolve(REGION.getEncodedName()).resolve(".regioninfo");
  }
}
