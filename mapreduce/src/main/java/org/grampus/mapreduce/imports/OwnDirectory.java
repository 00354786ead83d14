package org.grampus.mapreduce.imports;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of one import alone, within one that other imports may use as well.
 *
 * @param fs that has it
 * @param path of it
 * @param isParentNew whether what it is in comes with it, and goes with it. One that never came
 *     leaves its parent: another import may be between making the parent and coming into it
 */
record OwnDirectory(FileSystem fs, Path path, boolean isParentNew) {
  private static final Logger LOG = LoggerFactory.getLogger(OwnDirectory.class);

  /** A directory that is not there yet. */
  static OwnDirectory of(FileSystem fs, Path path) throws IOException {
    return new OwnDirectory(fs, path, !fs.exists(path.getParent()));
  }

  /** Removes it with all that is in it. What cannot be removed stays, and the log says it. */
  void remove() {
    try {
      if (delete(path, true) && isParentNew) {
        removeIfEmpty(path.getParent());
      }
    } catch (IOException e) {
      LOG.warn("cannot remove {}", path, e);
    }
  }

  /** Removes it if nothing is in it; as {@link #remove()} otherwise. */
  void removeIfEmpty() {
    try {
      if (removeIfEmpty(path) && isParentNew) {
        removeIfEmpty(path.getParent());
      }
    } catch (IOException e) {
      LOG.warn("cannot remove {}", path, e);
    }
  }

  private boolean removeIfEmpty(Path directory) throws IOException {
    if (fs.exists(directory) && fs.listStatus(directory).length > 0) {
      return false;
    }
    return delete(directory, false); // another import may have come into it
  }

  /** Whether it was there. A file system says false of what it leaves, and of what is not there. */
  private boolean delete(Path directory, boolean withAll) throws IOException {
    boolean wasThere = fs.delete(directory, withAll);
    if (!wasThere && fs.exists(directory)) {
      throw new IOException("the file system leaves " + directory);
    }
    return wasThere;
  }
}
