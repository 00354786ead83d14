package org.grampus.perf.trouble;

import java.io.IOException;
import org.grampus.perf.ToolException;

/** One kind of trouble. */
public interface Trouble {
  /**
   * Causes it while clients work, and takes it away. The caller waits for the cluster to serve
   * again and compares its tables with what was acknowledged.
   *
   * @throws ToolException when something is seen that must not be
   */
  void cause() throws ToolException, IOException, InterruptedException;

  /**
   * Looks, once the cluster serves again, for what shows that there was trouble.
   *
   * @throws ToolException when there is nothing
   */
  default void verify() throws ToolException, IOException {}

  /** Whether nothing may be written by clients meanwhile, but for a probe. */
  default boolean isQuiet() {
    return false;
  }
}
