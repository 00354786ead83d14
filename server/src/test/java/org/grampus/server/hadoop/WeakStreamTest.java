package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.grampus.engine.AppendStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose streams cannot sync, as those of object stores. */
class WeakStreamTest {
  /** A key of the file system below: whether its streams fail to close. */
  private static final String CLOSE_FAILS = "weak.close.fails";

  private static final String FAILURE = "the close fails, in this test";

  @TempDir private java.nio.file.Path directory;

  /** Its files are there before they are closed. */
  public static final class WeakFileSystem extends RawLocalFileSystem {
    @Override
    public FSDataOutputStream createNonRecursive(
        Path path,
        FsPermission permission,
        EnumSet<CreateFlag> flags,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      return new WeakStream(
          super.createNonRecursive(
              path, permission, flags, bufferSize, replication, blockSize, progress),
          getConf().getBoolean(CLOSE_FAILS, false));
    }
  }

  private static final class WeakStream extends FSDataOutputStream {
    private final boolean failing;

    WeakStream(FSDataOutputStream out, boolean failing) {
      super(out, null);
      this.failing = failing;
    }

    @Override
    public boolean hasCapability(String capability) {
      return false;
    }

    @Override
    public void close() throws IOException {
      super.close();
      if (failing) {
        throw new IOException(FAILURE);
      }
    }
  }

  private HadoopFiles files(boolean failing) {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.file.impl", WeakFileSystem.class, FileSystem.class);
    conf.setBoolean(CLOSE_FAILS, failing);
    return new HadoopFiles(conf);
  }

  private String uri(String name) {
    return directory.resolve(name).toUri().toString();
  }

  private IOException refusal(boolean failing) throws IOException {
    try (HadoopFiles files = files(failing)) {
      return assertThrows(IOException.class, () -> files.create(uri("log"), false));
    }
  }

  @Test
  void noEmptyFileOfALogIsLeft() throws IOException {
    String refusal = refusal(false).getMessage();
    assertTrue(refusal.endsWith("so that nothing which is acknowledged would last"), refusal);
    assertFalse(Files.exists(directory.resolve("log")));
  }

  @Test
  void theReasonIsToldAlsoWhereTheCloseFails() throws IOException {
    IOException refusal = refusal(true);
    assertTrue(refusal.getMessage().contains(" lacks hflush"), refusal::toString);
    assertEquals(
        List.of(FAILURE),
        Arrays.stream(refusal.getSuppressed()).map(Throwable::getMessage).toList());
    assertFalse(Files.exists(directory.resolve("log")));
  }

  @Test
  void columnFilesNeedNoSuchStream() throws IOException {
    try (HadoopFiles files = files(false)) {
      AppendStream stream = files.create(uri("file"), true);
      stream.close();
    }
    assertTrue(Files.exists(directory.resolve("file")));
  }
}
