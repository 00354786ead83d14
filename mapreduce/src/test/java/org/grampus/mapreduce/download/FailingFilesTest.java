package org.grampus.mapreduce.download;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.grampus.mapreduce.files.DurableFile;
import org.junit.jupiter.api.Test;

/** A file system without space that throws one exception again and again, as HDFS does. */
class FailingFilesTest {
  private static final Path PATH = new Path("/full/file");

  private final IOException noSpace = new IOException("no space");

  /** Takes bytes into a buffer, and has no place for them when it is flushed. */
  private final class Full extends RawLocalFileSystem {
    @Override
    public FSDataOutputStream create(
        Path path,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      return new FSDataOutputStream(new FullFile(), null);
    }
  }

  private final class FullFile extends OutputStream {
    @Override
    public void write(int value) {}

    @Override
    public void flush() throws IOException {
      throw noSpace;
    }

    @Override
    public void close() throws IOException {
      throw noSpace;
    }
  }

  private Full full() {
    Full fs = new Full();
    fs.setConf(new Configuration(false));
    return fs;
  }

  @Test
  void aSmallFileSaysWhyItCannotBeWritten() {
    assertSame(
        noSpace,
        assertThrows(
            IOException.class, () -> DurableFile.write(full(), PATH, new byte[] {1, 2, 3})));
  }

  @Test
  void aPartSaysWhyItCannotBeMadeDurable() {
    IOException error =
        assertThrows(
            IOException.class,
            () -> {
              try (CountedOutput out = CountedOutput.create(full(), PATH)) {
                out.write(new byte[] {1, 2, 3});
                out.report(PATH, 1);
              }
            });
    assertSame(noSpace, error);
  }

  @Test
  void nothingIsTriedBehindAFailure() throws IOException {
    try (CountedOutput out = CountedOutput.create(full(), PATH)) {
      assertSame(noSpace, assertThrows(IOException.class, out::flush));
      IOException again = assertThrows(IOException.class, () -> out.write(1));
      assertSame(noSpace, again.getCause());
      assertEquals("no space", again.getMessage());
    }
  }
}
