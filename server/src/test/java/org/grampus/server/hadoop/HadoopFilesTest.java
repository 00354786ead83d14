package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.grampus.engine.AppendStream;
import org.grampus.engine.FileException;
import org.grampus.engine.FileException.Kind;
import org.grampus.engine.FileSystemCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What the engine asks of a file system, on HDFS. */
@Tag("hdfs")
class HadoopFilesTest {
  /** Two data nodes' parts and one of checks: as many as there are. */
  private static final String CODING = "XOR-2-1-1024k";

  @TempDir static java.nio.file.Path directory;

  private static MiniHdfs hdfs;
  private static HadoopFiles files;

  @BeforeAll
  static void start() throws IOException {
    hdfs = new MiniHdfs(directory);
    files = new HadoopFiles(hdfs.conf());
  }

  @AfterAll
  static void stop() throws IOException {
    files.close();
    hdfs.close();
  }

  private static ByteBuffer direct(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static void write(String path, String text) throws IOException {
    AppendStream stream = files.create(hdfs.uri(path), false);
    stream.write(direct(text));
    stream.close();
  }

  private static void fails(Kind kind, Executable call) {
    assertEquals(kind, assertThrows(FileException.class, call).kind());
  }

  /** The promises that the engine's other environments are tested with, through JNI. */
  @Test
  void allPromisesAreKept() {
    FileSystemCheck.check(files, hdfs.uri("/check/it"));
  }

  /** A thread of the engine that is late must not open a file system that nothing closes. */
  @Test
  void nothingIsOpenedBehindTheClose() throws IOException {
    HadoopFiles closed = new HadoopFiles(hdfs.conf());
    closed.close();
    var e = assertThrows(IOException.class, () -> closed.recoverLease(hdfs.uri("/late")));
    assertEquals("the file systems are closed", e.getMessage());
  }

  @Test
  void aFileThatIsOpenIsReadAsFarAsItWasFlushed() throws IOException {
    files.makeDirectories(hdfs.uri("/open"));
    AppendStream stream = files.create(hdfs.uri("/open/f"), false);
    stream.write(direct("seen"));
    stream.flush();
    stream.write(direct(" and not"));
    try (var open = files.open(hdfs.uri("/open/f"))) {
      assertEquals(4, open.length());
      ByteBuffer into = ByteBuffer.allocateDirect(4);
      open.readFully(0, into);
      assertEquals(direct("seen"), into.flip());
    }
    stream.close();
    fails(Kind.NOT_A_FILE, () -> files.open(hdfs.uri("/open")));
    assertThrows(FileNotFoundException.class, () -> files.open(hdfs.uri("/open/none")));
    assertNull(files.status(hdfs.uri("/open/none")));
  }

  @Test
  void aRenamedFileLooksNewToCleaners() throws IOException {
    for (String archive : List.of("/hbase/archive/data", "/hbase/oldWALs")) {
      files.makeDirectories(hdfs.uri(archive));
      write("/hbase/f", "old");
      hdfs.fs().setTimes(new Path("/hbase/f"), 1, -1);
      files.rename(hdfs.uri("/hbase/f"), hdfs.uri(archive + "/f"));
      assertTrue(hdfs.fs().getFileStatus(new Path(archive, "f")).getModificationTime() > 1);
    }
  }

  @Test
  void safeModeAndQuotasAreToldApart() throws IOException {
    files.makeDirectories(hdfs.uri("/quota"));
    hdfs.fs().setQuota(new Path("/quota"), 1, HdfsConstants.QUOTA_DONT_SET);
    fails(Kind.NO_SPACE, () -> write("/quota/f", "much"));
    hdfs.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    try {
      fails(Kind.UNAVAILABLE, () -> files.makeDirectories(hdfs.uri("/quota/d")));
    } finally {
      hdfs.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
    }
  }

  @Test
  void aWriterWhoseFileIsDeletedIsFenced() throws IOException {
    files.makeDirectories(hdfs.uri("/gone"));
    AppendStream stream = files.create(hdfs.uri("/gone/f"), true);
    hdfs.fs().delete(new Path("/gone"), true);
    stream.write(direct("late"));
    assertThrows(IOException.class, stream::flush);
    stream.abandon();
    assertThrows(FileNotFoundException.class, () -> files.create(hdfs.uri("/gone/g"), false));
  }

  @Test
  void whatIsThereStays() throws IOException {
    files.makeDirectories(hdfs.uri("/kept"));
    assertThrows(FileNotFoundException.class, () -> files.delete(hdfs.uri("/kept/none")));
    write("/kept/f", "");
    fails(Kind.NOT_EMPTY, () -> files.delete(hdfs.uri("/kept")));
    fails(Kind.NOT_A_DIRECTORY, () -> files.list(hdfs.uri("/kept/f")));
    fails(Kind.ALREADY_EXISTS, () -> write("/kept/f", "again"));
  }

  /** A name node that renames and whose answers do not arrive. */
  public static final class LostAnswers extends DistributedFileSystem {
    @Override
    public void rename(Path source, Path target, Options.Rename... options) throws IOException {
      super.rename(source, target, options);
      throw new IOException("the connection broke, in this test");
    }
  }

  @Test
  void aRenameWhoseAnswerIsLostIsDone() throws IOException {
    files.makeDirectories(hdfs.uri("/lost"));
    write("/lost/a", "text");
    write("/lost/other", "other");
    Configuration conf = hdfs.conf();
    conf.setClass("fs.hdfs.impl", LostAnswers.class, FileSystem.class);
    try (HadoopFiles lossy = new HadoopFiles(conf)) {
      lossy.rename(hdfs.uri("/lost/a"), hdfs.uri("/lost/b"));
      assertNull(files.status(hdfs.uri("/lost/a")));
      fails(Kind.ALREADY_EXISTS, () -> lossy.rename(hdfs.uri("/lost/b"), hdfs.uri("/lost/other")));
      assertThrows(
          FileNotFoundException.class,
          () -> lossy.rename(hdfs.uri("/lost/a"), hdfs.uri("/lost/b")));
    }
  }

  @Test
  void aThreadThatWasInterruptedStillWrites() throws IOException {
    files.makeDirectories(hdfs.uri("/stopped"));
    Thread.currentThread().interrupt();
    try {
      AppendStream stream = files.create(hdfs.uri("/stopped/f"), false);
      stream.write(direct("text"));
      stream.flush();
      stream.sync();
      stream.close();
      assertTrue(Thread.currentThread().isInterrupted(), "it is told of its interrupt afterwards");
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertTrue(files.status(hdfs.uri("/stopped/f")).contains("\"bytes\":4"));
  }

  /** Its stream says that it can neither flush nor sync. */
  @Test
  void filesOfErasureCodedDirectoriesAreColumnFilesAndNoLogs() throws IOException {
    files.makeDirectories(hdfs.uri("/coded"));
    hdfs.fs().enableErasureCodingPolicy(CODING);
    hdfs.fs().setErasureCodingPolicy(new Path("/coded"), CODING);
    AppendStream bulk = files.create(hdfs.uri("/coded/file"), true);
    bulk.write(direct("text"));
    bulk.sync();
    bulk.close();
    assertTrue(files.status(hdfs.uri("/coded/file")).contains("\"bytes\":4"));
    write("/coded/log", "text");
    assertNull(hdfs.fs().getErasureCodingPolicy(new Path("/coded/log")));
  }
}
