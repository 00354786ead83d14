package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.engine.FileOpener;
import org.grampus.engine.OpenFile;

/** Files of a Hadoop file system for the engine. Any thread. */
final class HadoopFiles implements FileOpener {
  private final FileSystem fs;

  HadoopFiles(FileSystem fs) {
    this.fs = fs;
  }

  @Override
  public OpenFile open(String path) throws IOException {
    Path file = new Path(path);
    long length = fs.getFileStatus(file).getLen();
    FSDataInputStream in = fs.open(file);
    return new HadoopFile(in, length);
  }
}
