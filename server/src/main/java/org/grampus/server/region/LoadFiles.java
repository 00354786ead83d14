package org.grampus.server.region;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * The root directory's file system as bulk loads use it. Files are moved into the root by renames,
 * so loads take files of this file system alone. Any thread; calls wait for the file system.
 */
interface LoadFiles {
  /** The root directory. */
  Path root();

  /**
   * The path that a client names, absolute and without {@code ..}.
   *
   * @throws DoNotRetryIOException when it is no absolute path of this file system
   * @throws IOException when the mounts cannot be asked now; the client may try again
   */
  Path path(String named) throws IOException;

  /** A path without links on the way to it, as far as it is there. */
  Path real(Path path) throws IOException;

  /**
   * The path by which the engine finds a file.
   *
   * @param named as {@link #path} makes it
   * @param real the same without links
   */
  Path moved(Path named, Path real);

  /** Whether a directory is there, and no link to one. */
  boolean isDirectory(Path path) throws IOException;

  /** Whether something is there that is no plain file. */
  boolean isOther(Path path) throws IOException;

  /**
   * Makes a directory that only this process's user may enter, and its parents.
   *
   * @throws IOException also when it is there already
   */
  void makePrivate(Path directory) throws IOException;

  /** Deletes a directory with what is in it, and follows no link. One that is gone is fine. */
  void deleteTree(Path directory) throws IOException;

  /**
   * The path that a text is, of whatever file system.
   *
   * @throws DoNotRetryIOException when it is none
   */
  static Path parse(String named) throws DoNotRetryIOException {
    try {
      return new Path(named);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("not a path: " + named, e);
    }
  }

  /** Whether a path is a directory or below it. Both are as {@link #real} makes them. */
  static boolean isWithin(Path path, Path directory) {
    Path each = path;
    while (each != null && !each.equals(directory)) {
      each = each.getParent();
    }
    return each != null;
  }
}
