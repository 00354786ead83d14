package org.grampus.mapreduce.files;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Small files that outlive a loss of power. */
public final class DurableFile {
  /** What is written. */
  @FunctionalInterface
  public interface Content {
    /** Writes it. */
    void write(FSDataOutputStream out) throws IOException;
  }

  private DurableFile() {}

  /** Writes a file, in place of one that is there. */
  public static void write(FileSystem fs, Path path, byte[] content) throws IOException {
    write(fs, path, out -> out.write(content));
  }

  /** Writes a file, in place of one that is there. */
  public static void write(FileSystem fs, Path path, Content content) throws IOException {
    FSDataOutputStream out = fs.create(path, true);
    try {
      content.write(out);
      out.hsync();
    } catch (IOException | RuntimeException e) {
      closeAfter(out, e);
      throw e;
    }
    out.close();
  }

  /**
   * HDFS says with the same exception once more that a write has failed, which a try statement
   * would answer with an exception of its own.
   */
  private static void closeAfter(FSDataOutputStream out, Exception failure) {
    try {
      out.close();
    } catch (IOException e) {
      if (e != failure) {
        failure.addSuppressed(e);
      }
    }
  }
}
