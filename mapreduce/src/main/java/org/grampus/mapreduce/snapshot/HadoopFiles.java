package org.grampus.mapreduce.snapshot;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.grampus.engine.FileOpener;
import org.grampus.engine.OpenFile;

/** Files of a Hadoop file system for the engine. Any thread. */
public final class HadoopFiles implements FileOpener {
  private final FileSystem fs;
  private final long readAheadBytes;
  private final LongAdder fetchedBytes;
  private volatile String denied = "";

  /** Files of a file system, of which nothing is read ahead. */
  public static HadoopFiles of(FileSystem fs) {
    return new HadoopFiles(fs, 0, new LongAdder());
  }

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

  /**
   * Opens a file. As in HBase's links, one that may not be looked at is taken to be elsewhere: a
   * process that may read the archive alone sees the directories of tables as closed.
   */
  @Override
  public OpenFile open(String path) throws IOException {
    Path file = new Path(path);
    try {
      long length = fs.getFileStatus(file).getLen();
      FSDataInputStream in = fs.open(file);
      return new HadoopFile(in, length, readAheadBytes, fetchedBytes);
    } catch (AccessControlException e) {
      denied = e.getMessage();
      FileNotFoundException elsewhere = new FileNotFoundException(path + " may not be read");
      elsewhere.initCause(e);
      throw elsewhere;
    }
  }

  /** What the file system said of the last file that may not be read; empty when there was none. */
  String denied() {
    return denied;
  }
}
