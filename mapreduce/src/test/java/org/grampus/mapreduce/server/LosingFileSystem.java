package org.grampus.mapreduce.server;

import java.io.IOException;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** A local disk on which what a committer moves for the family {@code g} is not seen again. */
public final class LosingFileSystem extends LocalFileSystem {
  private static final String LOST = "g";

  /** For Hadoop, which makes it by its name. */
  public LosingFileSystem() {}

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    boolean isLost = to.getParent().getName().equals(LOST);
    return isLost ? delete(from, true) : super.rename(from, to);
  }
}
