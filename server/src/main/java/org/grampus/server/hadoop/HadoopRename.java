package org.grampus.server.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.grampus.engine.FileException;

/** A rename that replaces nothing, and what is known of it when its answer is lost. */
final class HadoopRename {
  private HadoopRename() {}

  /** Renames a file or directory; {@code FileException} when the target exists. */
  static void run(FileSystem fs, Path source, Path target) throws IOException {
    if (fs instanceof DistributedFileSystem dfs) {
      inOneStep(dfs, source, target);
    } else {
      inSteps(fs, source, target);
    }
  }

  /**
   * A connection that breaks leaves open whether the name node has renamed: the file's number tells
   * it. A directory's rename onto a file, or a file's onto a directory, has no class of its own.
   */
  private static void inOneStep(DistributedFileSystem dfs, Path source, Path target)
      throws IOException {
    long id = id(dfs.getFileStatus(source));
    try {
      dfs.rename(source, target, Options.Rename.NONE);
    } catch (FileNotFoundException e) {
      if (!isThere(dfs, target, id)) { // a second attempt of the client's finds no source
        throw e;
      }
    } catch (IOException e) {
      if (isThere(dfs, target, id)) {
        return;
      }
      if (FileFailures.of(e) == e && dfs.exists(target)) {
        throw new FileException(FileException.Kind.ALREADY_EXISTS, e);
      }
      throw e;
    }
  }

  private static boolean isThere(FileSystem fs, Path path, long id) throws IOException {
    try {
      return id(fs.getFileStatus(path)) == id;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** Inode number on HDFS; 0 on other file systems. */
  static long id(FileStatus status) {
    return status instanceof HdfsFileStatus hdfs ? hdfs.getFileId() : 0;
  }

  /** Other file systems have no rename that refuses in one step. */
  private static void inSteps(FileSystem fs, Path source, Path target) throws IOException {
    if (fs.exists(target)) {
      throw new FileException(FileException.Kind.ALREADY_EXISTS, target + " exists");
    }
    fs.getFileStatus(target.getParent());
    if (!fs.rename(source, target)) {
      throw new IOException("cannot rename " + source + " to " + target);
    }
  }
}
