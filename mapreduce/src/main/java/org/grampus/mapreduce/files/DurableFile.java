package org.grampus.mapreduce.download;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Small files that outlive a loss of power. */
final class DurableFile {
  private DurableFile() {}

  /** Writes a file, in place of one that is there. */
  static void write(FileSystem fs, Path path, byte[] content) throws IOException {
    try (FSDataOutputStream out = fs.create(path, true)) {
      out.write(content);
      out.hsync();
    }
  }
}
