package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.engine.FileOpener;
import org.grampus.engine.OpenFile;

/** Files of a Hadoop file system for the engine. Any thread. */
final class HadoopFiles implements FileOpener {
  private final FileSystem fs;
  private final long readAheadBytes;
  private final LongAdder fetchedBytes;

  /**
   * Files of a file system.
   *
   * @param readAheadBytes that each file may read ahead, about
   * @param fetchedBytes is told what is read of all files, ahead or not
   */
  HadoopFiles(FileSystem fs, long readAheadBytes, LongAdder fetchedBytes) {
    this.fs = fs;
    this.readAheadBytes = readAheadBytes;
    this.fetchedBytes = fetchedBytes;
  }

  @Override
  public OpenFile open(String path) throws IOException {
    Path file = new Path(path);
    long length = fs.getFileStatus(file).getLen();
    FSDataInputStream in = fs.open(file);
    return new HadoopFile(in, length, readAheadBytes, fetchedBytes);
  }
}
