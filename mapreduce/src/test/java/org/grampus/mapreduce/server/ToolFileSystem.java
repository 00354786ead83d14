package org.grampus.mapreduce.server;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A local disk on which something happens before HBase's tool opens the first file of a load. It
 * opens files in threads of its own, and our loader in that of its caller.
 */
public final class ToolFileSystem extends LocalFileSystem {
  private static Thread loader;
  private static SplittingFileSystem.Change once;

  /** For Hadoop, which makes it by its name. */
  public ToolFileSystem() {}

  /** Says what happens in the next load that this thread begins. */
  static synchronized void once(SplittingFileSystem.Change change) {
    loader = Thread.currentThread();
    once = change;
  }

  /** Whether it is still to happen. */
  static synchronized boolean isAhead() {
    return once != null;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    String family = path.getParent().getName();
    if (family.equals("f") || family.equals("g")) {
      happen();
    }
    return super.open(path, bufferSize);
  }

  /** The tool's other threads wait for it. */
  private static synchronized void happen() throws IOException {
    SplittingFileSystem.Change change = once;
    if (change != null && !Thread.currentThread().equals(loader)) {
      once = null;
      change.happen();
    }
  }
}
