package org.grampus.mapreduce.files;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Small files that outlive a loss of power. */
public final class DurableFile {
  private DurableFile() {}

  /** Writes a file, in place of one that is there. */
  public static void write(FileSystem fs, Path path, byte[] content) throws IOException {
    try (FSDataOutputStream out = fs.create(path, true)) {
      out.write(content);
      out.hsync();
    }
  }
}
