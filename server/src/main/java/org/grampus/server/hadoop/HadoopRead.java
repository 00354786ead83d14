package org.grampus.server.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.grampus.compat.files.PositionedReads;
import org.grampus.engine.FileException;
import org.grampus.engine.OpenFile;

/** An open file of a Hadoop file system. Reads may come from several threads at once. */
final class HadoopRead implements OpenFile {
  private final FSDataInputStream in;
  private final PositionedReads reads;
  private final long length;

  private HadoopRead(FSDataInputStream in, long length) {
    this.in = in;
    this.reads = new PositionedReads(in);
    this.length = length;
  }

  static HadoopRead open(FileSystem fs, FileStatus file) throws IOException {
    if (file.isDirectory()) {
      throw new FileException(FileException.Kind.NOT_A_FILE, file.getPath() + " is no file");
    }
    FSDataInputStream in = stream(fs, file);
    try {
      return new HadoopRead(in, length(in, file));
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /**
   * By the number of the file, where it has one: a stream of HDFS asks for the places of blocks
   * again when data nodes die or tokens end, and by path it would find nothing after a rename.
   */
  private static FSDataInputStream stream(FileSystem fs, FileStatus file) throws IOException {
    if (fs instanceof DistributedFileSystem) {
      return fs.open(fs.getPathHandle(file, HandleOpt.moved(true), HandleOpt.changed(true)));
    }
    return fs.open(file.getPath());
  }

  /** A file that is open has more bytes than the name node knows of. */
  private static long length(FSDataInputStream in, FileStatus file) throws IOException {
    return in instanceof HdfsDataInputStream open ? open.getVisibleLength() : file.getLen();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    try {
      Uninterrupted.run(
          () -> {
            reads.readFully(position, into);
            return null;
          });
    } catch (IOException e) {
      throw FileFailures.of(e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
