package org.grampus.mapreduce.load;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The file {@code _loading} of a directory that somebody loads. While files are on their way into
 * the table they are in neither place, and a directory without files says nothing of them. Loaders
 * pass over its name.
 */
final class LoadMark {
  private static final String NAME = "_loading";

  private final FileSystem fs;
  private final Path path;

  private LoadMark(FileSystem fs, Path path) {
    this.fs = fs;
    this.path = path;
  }

  /**
   * Marks a directory until {@link #clear}. A mark that a killed loader has left is taken over when
   * there are files, which show how far it has come.
   */
  static LoadMark set(FileSystem fs, Path directory) throws IOException {
    Path path = new Path(directory, NAME);
    fs.create(path, true).close();
    return new LoadMark(fs, path);
  }

  /**
   * Requires that nobody loads a directory in which no files are left.
   *
   * @throws IOException when somebody does, or did when it was killed
   */
  static void requireNone(FileSystem fs, Path directory) throws IOException {
    Path path = new Path(directory, NAME);
    if (fs.exists(path)) {
      throw new IOException(
          "another load of "
              + directory
              + " is under way, and whether its files come into the table is not known yet; when"
              + " its process is gone, delete "
              + path
              + " and load it again once all regions are open");
    }
  }

  /** The load is over, however it ended: what is not in the table is in the directory. */
  void clear() throws IOException {
    fs.delete(path, false);
  }
}
