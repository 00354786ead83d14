package org.grampus.mapreduce.imports;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A directory of one import alone, within one that other imports may use as well.
 *
 * @param fs that has it
 * @param path of it
 * @param isParentNew whether what it is in comes with it, and goes with it
 */
record OwnDirectory(FileSystem fs, Path path, boolean isParentNew) {
  /** A directory that is not there yet. */
  static OwnDirectory of(FileSystem fs, Path path) throws IOException {
    return new OwnDirectory(fs, path, !fs.exists(path.getParent()));
  }

  /** Removes it with all that is in it. */
  void remove() throws IOException {
    fs.delete(path, true);
    if (isParentNew) {
      removeIfEmpty(path.getParent());
    }
  }

  /** Removes it if nothing is in it. */
  void removeIfEmpty() throws IOException {
    if (removeIfEmpty(path) && isParentNew) {
      removeIfEmpty(path.getParent());
    }
  }

  private boolean removeIfEmpty(Path directory) throws IOException {
    if (fs.exists(directory) && fs.listStatus(directory).length > 0) {
      return false;
    }
    fs.delete(directory, false);
    return true;
  }
}
