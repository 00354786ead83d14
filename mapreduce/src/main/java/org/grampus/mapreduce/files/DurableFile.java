package org.grampus.mapreduce.files;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
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

  /**
   * The file system of a directory. On local disks it is the one without checksum files: it can
   * make files durable, and leaves no others beside those that were asked for.
   */
  public static FileSystem fileSystem(Path directory, Configuration conf) throws IOException {
    FileSystem fs = directory.getFileSystem(conf);
    return fs instanceof LocalFileSystem local ? local.getRawFileSystem() : fs;
  }

  /** Writes a file, in place of one that is there. */
  public static void write(FileSystem fs, Path path, byte[] content) throws IOException {
    write(fs, path, out -> out.write(content));
  }

  /** Writes a file, in place of one that is there. */
  public static void write(FileSystem fs, Path path, Content content) throws IOException {
    FSDataOutputStream out = fs.create(path, true);
    try {
      content.write(out);
    } catch (IOException | RuntimeException e) {
      closeAfter(out, e);
      throw e;
    }
    end(out);
  }

  /** Makes durable what was written, and closes the stream in any case. */
  public static void end(FSDataOutputStream out) throws IOException {
    try {
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
