package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALSplitUtil;
import org.grampus.engine.CompactionRequest;
import org.grampus.engine.EngineException;
import org.grampus.engine.LoadRequest;
import org.grampus.server.region.LoadSource;
import org.grampus.server.region.StagingArea;
import org.grampus.server.testkit.ColumnFiles;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A region whose files and log are on HDFS, from one server to the next. */
@Tag("hdfs")
class HdfsRegionTest extends HdfsCase {
  private static final TableName NAME = HdfsServer.TABLE;
  private static final RegionInfo REGION = HdfsServer.REGION;

  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void anotherServerGoesOnWithAllThatWasAcknowledged(String provider) throws Exception {
    useLog(provider);
    assertFalse(files.areLocal());
    try (HdfsServer dead = server("a").open();
        HdfsServer next = server("b")) {
      dead.put(0, 50);
      dead.raw().flush();
      dead.put(50, 100);
      dead.raw().flush();
      assertEquals(2, dead.storeFiles());
      dead.raw().compact(new CompactionRequest(null, true));
      dead.awaitOneFile();
      dead.put(100, 150);
      recover("a", next);
      // It was only taken for dead, and does not know it yet.
      assertThrows(
          RuntimeException.class,
          () -> dead.region().putAcknowledged(dead.engine(), row(150), "late"));
      next.open();
      assertTrue(next.raw().openReport().replayedEdits() >= 50);
      next.assertRows(150);
      next.put(150, 160);
      next.raw().close(false);
      next.open();
      next.assertRows(160);
      assertEquals(0, next.raw().openReport().replayedEdits());
    }
  }

  /** Names of files in a directory; none where it is missing. */
  private static List<String> names(FileSystem fs, Path dir) throws IOException {
    List<String> names = new ArrayList<>();
    if (fs.exists(dir)) {
      for (FileStatus file : fs.listStatus(dir)) {
        names.add(file.getPath().getName());
      }
    }
    return names;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void logsMayLieElsewhere(boolean rootIsLocal) throws Exception {
    conf.set("hbase.wal.dir", hdfs.uri("/logs"));
    if (rootIsLocal) {
      conf.set("hbase.rootdir", directory.resolve("root").toUri().toString());
    }
    useDirectories();
    Path edits =
        new Path(
            CommonFSUtils.getWALRegionDir(conf, NAME, REGION.getEncodedName()), "recovered.edits");
    try (HdfsServer dead = server("a").open();
        HdfsServer next = server("b")) {
      dead.put(0, 10);
      dead.raw().flush();
      dead.put(10, 20);
      recover("a", next);
      assertTrue(names(hdfs.fs(), edits).stream().anyMatch(name -> name.matches("[0-9]+")));
      // As HBase's master does for a daughter: ids of the region are above it.
      WALSplitUtil.writeRegionSequenceIdFile(hdfs.fs(), edits.getParent(), 1000);
      next.open();
      next.assertRows(20);
      assertEquals(1001, next.raw().openReport().openSeqNum());
      assertEquals(List.of("1001.seqid"), names(hdfs.fs(), edits));
      Path inRoot = new Path(files.regionDir(REGION), "recovered.edits");
      assertEquals(List.of(), names(files.fileSystem(), inRoot));
      next.put(20, 25);
      next.raw().close(false);
      next.open().assertRows(25);
    }
  }

  /** The column file of a client, who owns it, in a directory where everyone may write. */
  private Path clientsFile(String name, String row) throws IOException {
    Path file = new Path(hdfs.uri("/client/f/" + name));
    ColumnFiles.write(directory.resolve(name), "f", "loaded", row);
    return MiniHdfs.as(
        "client",
        () -> {
          FileSystem fs = FileSystem.newInstance(conf);
          fs.mkdirs(file.getParent());
          fs.setPermission(file.getParent(), new FsPermission((short) 0777));
          fs.copyFromLocalFile(new Path(directory.resolve(name).toUri()), file);
          fs.close();
          return file;
        });
  }

  private static LoadRequest.File source(StagingArea staging, String token, String path)
      throws IOException {
    return LoadSource.of(staging, token, Bytes.toBytes("f"), path);
  }

  private static void load(HdfsServer server, boolean copy, LoadRequest.File file) {
    server.raw().loadFiles(new LoadRequest(List.of(file), copy, true, false), () -> true);
  }

  @Test
  void filesOfClientsAreMovedOrCopiedIntoTheRegion() throws Exception {
    StagingArea staging = StagingArea.of(files);
    String token = staging.prepare("someone", NAME);
    Path place = new Path(token);
    assertEquals(new Path(files.root(), "staging"), place.getParent());
    assertEquals("rwx------", hdfs.fs().getFileStatus(place).getPermission().toString());
    assertTrue(staging.isPrepared(token));
    Path moved = clientsFile("a", row(1));
    Path copied = clientsFile("b", row(2));
    Path broken = new Path(moved.getParent(), "c");
    hdfs.fs().create(broken).close();
    try (HdfsServer first = server("a").open();
        HdfsServer next = server("b")) {
      first.put(0, 1);
      load(first, false, source(staging, token, moved.toString()));
      load(first, false, source(staging, token, moved.toString())); // done before
      load(first, true, source(staging, token, copied.toUri().getPath()));
      assertThrows(
          EngineException.class,
          () -> load(first, false, source(staging, token, broken.toString())));
      assertFalse(hdfs.fs().exists(moved));
      assertTrue(hdfs.fs().exists(copied));
      assertTrue(hdfs.fs().exists(broken));
      first.assertRows(3);
      first.raw().flush();
      first.raw().compact(new CompactionRequest(null, true)); // archives files that a client owns
      first.awaitOneFile();
      recover("a", next);
      next.open().assertRows(3);
    }
    staging.cleanUp(token);
    staging.cleanUp(token);
    assertFalse(staging.isPrepared(token));
  }

  @Test
  void aWriterThatHasAFileOpenCannotChangeItOnceItIsLoaded() throws Exception {
    StagingArea staging = StagingArea.of(files);
    Path file = new Path(hdfs.uri("/client/open"));
    byte[] bytes =
        Files.readAllBytes(ColumnFiles.write(directory.resolve("o"), "f", "loaded", row(0)));
    try (FileSystem own = FileSystem.newInstance(conf);
        FSDataOutputStream writer = own.create(file);
        HdfsServer server = server("a").open()) {
      writer.write(bytes);
      writer.hflush();
      load(server, false, source(staging, staging.prepare("someone", NAME), file.toString()));
      server.assertRows(1);
      writer.write(1);
      assertThrows(IOException.class, writer::close);
      server.raw().close(false);
      server.open().assertRows(1);
    }
  }

  @Test
  void theClustersOwnFilesAndThoseOfOtherFileSystemsAreNotLoaded() throws IOException {
    StagingArea staging = StagingArea.of(files);
    String token = staging.prepare("someone", NAME);
    String own = new Path(files.root(), "data/default/t").toUri().getPath();
    hdfs.fs().create(new Path(own, "file")).close();
    for (String path :
        List.of(
            hdfs.uri(own + "/file"),
            own + "/file",
            own + "/../t/file",
            own + "/missing",
            "/.reserved/raw" + own + "/file",
            "/.snapshot/s" + own + "/file",
            hdfs.uri(own),
            directory.resolve("local").toUri().toString(),
            "hdfs://another.example.org:8020/f/a",
            "relative")) {
      assertThrows(DoNotRetryIOException.class, () -> source(staging, token, path), path);
    }
    for (String other : List.of("/tmp", files.root().toString(), "file:/tmp/" + token)) {
      assertThrows(DoNotRetryIOException.class, () -> staging.cleanUp(other), other);
    }
    assertEquals(
        token + "/mine",
        source(staging, token, token + "/mine").path(),
        "a load's own directory is no other client's");
  }
}
