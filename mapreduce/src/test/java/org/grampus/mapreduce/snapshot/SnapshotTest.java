package org.grampus.mapreduce.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.engine.OpenFile;
import org.grampus.engine.SnapshotFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manifests as HBase writes them, made by hand. */
class SnapshotTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(NAME)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .build();

  @TempDir Path root;
  private Configuration conf;
  private final SnapshotDataManifest.Builder manifest =
      SnapshotDataManifest.newBuilder().setTableSchema(ProtobufUtil.toTableSchema(TABLE));

  @BeforeEach
  void configure() {
    conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", root.toUri().toString());
  }

  private static RegionInfo region(String start, String end) {
    return RegionInfoBuilder.newBuilder(NAME)
        .setRegionId(1)
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .build();
  }

  private SnapshotRegionManifest.FamilyFiles.Builder add(RegionInfo region) {
    return manifest
        .addRegionManifestsBuilder()
        .setRegionInfo(ProtobufUtil.toRegionInfo(region))
        .addFamilyFilesBuilder()
        .setFamilyName(ByteString.copyFromUtf8("f"));
  }

  private void write(SnapshotDescription.Builder description) throws IOException {
    Path dir = Files.createDirectories(root.resolve(".hbase-snapshot/s"));
    try (OutputStream out = Files.newOutputStream(dir.resolve(".snapshotinfo"))) {
      description.setName("s").setTable("t").setVersion(2).build().writeTo(out);
    }
    try (OutputStream out = Files.newOutputStream(dir.resolve("data.manifest"))) {
      manifest.build().writeTo(out);
    }
  }

  private void write() throws IOException {
    write(SnapshotDescription.newBuilder());
  }

  @Test
  void filesAndReferencesAreListed() throws IOException {
    byte[] split = Bytes.toBytes("m");
    add(region("a", "m")).addStoreFilesBuilder().setName("0123").setFileSize(100);
    add(region("", "a"))
        .addStoreFilesBuilder()
        .setName("4567.89ab")
        .setFileSize(50)
        .setReference(Reference.createBottomReference(split).convert());
    write();
    Snapshot snapshot = Snapshot.open(conf, "s");
    assertEquals(TABLE, snapshot.table());
    assertEquals(2, snapshot.regions().size());
    SnapshotRegion first = snapshot.regions().get(0);
    assertEquals(region("", "a").getEncodedName(), first.info().getEncodedName());
    assertEquals(25, first.bytes());
    SnapshotFiles.File reference = first.files().families().get(0).files().get(0);
    assertEquals("4567.89ab", reference.name());
    assertArrayEquals(
        ProtobufUtil.prependPBMagic(Reference.createBottomReference(split).convert().toByteArray()),
        reference.reference());
    SnapshotRegion second = SnapshotRegion.parse(snapshot.regions().get(1).toBytes());
    assertEquals(100, second.bytes());
    assertEquals(region("a", "m").getEncodedName(), second.info().getEncodedName());
  }

  @Test
  void parentsAndTheRegionOfLargeValuesAreLeftOut() throws IOException {
    add(region("", "a"));
    manifest.getRegionManifestsBuilder(0).getRegionInfoBuilder().setOffline(true).setSplit(true);
    add(MobUtils.getMobRegionInfo(NAME));
    add(region("", "m"));
    write();
    Snapshot snapshot = Snapshot.open(conf, "s");
    assertEquals(1, snapshot.regions().size());
    assertTrue(snapshot.regions().get(0).isEmpty());
  }

  @Test
  void anExpiredSnapshotIsRefused() throws IOException {
    write(SnapshotDescription.newBuilder().setCreationTime(1000).setTtl(60));
    SnapshotTTLExpiredException refused =
        assertThrows(SnapshotTTLExpiredException.class, () -> Snapshot.open(conf, "s"));
    assertEquals(
        "snapshot s of 1970-01-01T00:00:01Z was to live for 60 s, which are over; take another one",
        refused.getMessage());
  }

  @Test
  void aSnapshotThatIsNotThereIsRefused() {
    assertThrows(SnapshotDoesNotExistException.class, () -> Snapshot.open(conf, "s"));
  }

  @Test
  void filesAreReadThroughHadoop() throws IOException {
    Path file = Files.write(root.resolve("file"), new byte[] {0, 1, 2, 3, 4, 5});
    FileSystem fs = FileSystem.get(root.toUri(), conf);
    LongAdder fetched = new LongAdder();
    try (OpenFile open = new HadoopFiles(fs, 1 << 20, fetched).open(file.toUri().toString())) {
      assertEquals(6, open.length());
      ByteBuffer into = ByteBuffer.allocateDirect(3);
      open.readFully(2, into);
      assertEquals(0, into.remaining());
      assertEquals(4, into.get(2));
      open.readFully(5, into.clear().limit(1));
      assertEquals(5, into.get(0));
    }
    assertEquals(4, fetched.sum());
    assertThrows(
        java.io.FileNotFoundException.class,
        () -> new HadoopFiles(fs, 0, fetched).open(root.resolve("none").toUri().toString()));
  }

  @Test
  void aFileThatMayNotBeReadIsLookedForElsewhere() throws IOException {
    FileSystem closed =
        new FilterFileSystem(FileSystem.get(root.toUri(), conf)) {
          @Override
          public FileStatus getFileStatus(org.apache.hadoop.fs.Path file) throws IOException {
            throw new AccessControlException("alice may not look");
          }
        };
    HadoopFiles files = new HadoopFiles(closed, 0, new LongAdder());
    assertEquals("", files.denied());
    assertThrows(java.io.FileNotFoundException.class, () -> files.open("/file"));
    assertEquals("alice may not look", files.denied());
  }
}
