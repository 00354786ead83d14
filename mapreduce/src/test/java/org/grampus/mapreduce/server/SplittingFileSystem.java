package org.grampus.mapreduce.server;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** A local disk on which something happens when a committer has moved the family {@code f}. */
public final class SplittingFileSystem extends LocalFileSystem {
  /** What happens. */
  @FunctionalInterface
  interface Change {
    void happen() throws IOException;
  }

  private static final AtomicReference<Change> ONCE = new AtomicReference<>();

  /** For Hadoop, which makes it by its name. */
  public SplittingFileSystem() {}

  /** Says what happens the next time. */
  static void once(Change change) {
    ONCE.set(change);
  }

  /** Whether it is still to happen. */
  static boolean isAhead() {
    return ONCE.get() != null;
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    boolean isMoved = super.rename(from, to);
    if (to.getParent().getName().equals("f")) {
      Change change = ONCE.getAndSet(null);
      if (change != null) {
        change.happen();
      }
    }
    return isMoved;
  }
}
