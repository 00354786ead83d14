package org.grampus.perf.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;

/** Waits for daemons to be ready. */
public final class Await {
  private static final long LIMIT_SECONDS = 120;
  private static final long POLL_MILLIS = 100;

  private Await() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    /** Whether it is; an IOException says that it is not yet. */
    boolean isMet() throws IOException;
  }

  /**
   * Waits.
   *
   * @param what is waited for, in a sentence
   * @param daemons must not end meanwhile
   * @throws ToolException when one does, or it is not true after two minutes
   */
  public static void until(String what, List<Daemon> daemons, Condition condition)
      throws ToolException, InterruptedException {
    until(what, daemons, LIMIT_SECONDS, condition);
  }

  /** The same with a limit of its own, in seconds. */
  public static void until(
      String what, List<Daemon> daemons, long limitSeconds, Condition condition)
      throws ToolException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
    IOException last = null;
    while (System.nanoTime() < deadline) {
      for (Daemon daemon : daemons) {
        daemon.require();
      }
      try {
        if (condition.isMet()) {
          return;
        }
      } catch (IOException e) {
        last = e;
      }
      Thread.sleep(POLL_MILLIS);
    }
    throw new ToolException("waited " + limitSeconds + " s in vain for " + what, last);
  }
}
