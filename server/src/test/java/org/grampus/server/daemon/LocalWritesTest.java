package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutputHelper;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What HBase's own code writes below hbase.rootdir is in the file after hflush, so that a kill of
 * the process cannot take it.
 */
class LocalWritesTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] WORDS = Bytes.toBytes("handed to the operating system");

  @TempDir Path directory;
  private Configuration conf;

  @BeforeEach
  void configure() throws StartupException {
    conf = Settings.load(directory.resolve("conf"), Map.of());
    Path root = directory.resolve("hbase");
    StandaloneDefaults.apply(conf, root);
    conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    conf.set("fs.defaultFS", "file:///");
  }

  private static byte[] content(org.apache.hadoop.fs.Path path) throws IOException {
    return Files.readAllBytes(Path.of(path.toUri().getPath()));
  }

  private org.apache.hadoop.fs.Path file(String name) {
    return new org.apache.hadoop.fs.Path(directory.resolve(name).toUri());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile).toList();
    }
  }

  private void assertWordsAreThereAfterFlush(FileSystem fs, boolean sync) throws IOException {
    org.apache.hadoop.fs.Path path = file("stream");
    try (FSDataOutputStream out =
        CommonFSUtils.create(fs, path, FsPermission.getFileDefault(), true)) {
      out.write(WORDS);
      if (sync) {
        out.hsync();
      } else {
        out.hflush();
      }
      assertArrayEquals(WORDS, content(path), "before the stream is closed");
    }
    assertEquals(List.of(directory.resolve("stream")), files(), "no checksum file beside it");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStreamOfTheFileSystem(boolean sync) throws IOException {
    assertWordsAreThereAfterFlush(CommonFSUtils.getRootDirFileSystem(conf), sync);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStreamOfTheFileSystemForWals(boolean sync) throws IOException {
    assertWordsAreThereAfterFlush(CommonFSUtils.getWALFileSystem(conf), sync);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStreamOfHBasesWrapper(boolean sync) throws IOException {
    assertWordsAreThereAfterFlush(HFileSystem.get(conf), sync);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAsynchronousOutput(boolean sync) throws Exception {
    org.apache.hadoop.fs.Path path = file("async");
    NioEventLoopGroup loop = new NioEventLoopGroup(1);
    try (AsyncFSOutput out =
        AsyncFSOutputHelper.createOutput(
            CommonFSUtils.getWALFileSystem(conf),
            path,
            false,
            true,
            (short) 1,
            1 << 20,
            loop,
            NioSocketChannel.class,
            StreamSlowMonitor.create(conf, "test"),
            false)) {
      out.write(WORDS);
      assertEquals(WORDS.length, out.flush(sync).get());
      assertArrayEquals(WORDS, content(path), "before the output is closed");
    } finally {
      assertTrue(loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS));
    }
  }

  /** The log of the embedded master's own region. */
  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem", "defaultProvider"})
  void anEditOfALogThatIsNotClosed(String provider) throws Exception {
    conf.set(WALFactory.WAL_PROVIDER, provider);
    RegionInfo region = RegionInfoBuilder.newBuilder(TABLE).build();
    WALFactory factory = new WALFactory(conf, "localhost,1,2");
    try {
      WAL wal = factory.getWAL(region);
      for (boolean sync : new boolean[] {false, true}) {
        String value = "an edit of " + provider + ", " + sync;
        wal.sync(append(wal, region, value), sync);
        assertTrue(isInSomeFile(value), value);
      }
    } finally {
      factory.close();
    }
  }

  private static long append(WAL wal, RegionInfo region, String value) throws IOException {
    long now = System.currentTimeMillis();
    WALKeyImpl key =
        new WALKeyImpl(
            region.getEncodedNameAsBytes(),
            TABLE,
            now,
            new MultiVersionConcurrencyControl(),
            new TreeMap<>(Bytes.BYTES_COMPARATOR));
    WALEdit edit = new WALEdit();
    edit.add(new KeyValue(Bytes.toBytes("row"), FAMILY, FAMILY, now, Bytes.toBytes(value)));
    return wal.appendData(region, key, edit);
  }

  private boolean isInSomeFile(String text) throws IOException {
    for (Path file : files()) {
      if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aTableDescriptor() throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    FileSystem fs = CommonFSUtils.getRootDirFileSystem(conf);
    org.apache.hadoop.fs.Path root = CommonFSUtils.getRootDir(conf);
    assertTrue(new FSTableDescriptors(fs, root).createTableDescriptor(table));
    List<Path> files = files();
    assertEquals(1, files.size(), files.toString());
    assertTrue(
        files.get(0).getFileName().toString().startsWith(FSTableDescriptors.TABLEINFO_FILE_PREFIX));
    assertTrue(Files.size(files.get(0)) > 0);
    assertEquals(table, FSTableDescriptors.getTableDescriptorFromFs(fs, root, TABLE));
  }

  /** Why the defaults name another class than Hadoop's: its own keeps the bytes to itself. */
  @Test
  void hadoopsChecksummedFileSystemHoldsTheBytesBack() throws IOException {
    conf.set("fs.file.impl", LocalFileSystem.class.getName());
    org.apache.hadoop.fs.Path path = file("checksummed");
    try (FileSystem fs = FileSystem.newInstance(path.toUri(), conf);
        FSDataOutputStream out = fs.create(path)) {
      out.write(WORDS);
      out.hflush();
      assertArrayEquals(new byte[0], content(path));
    }
  }
}
