package org.grampus.perf.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Daemon;

/**
 * What is done to a process, from its beginning to the time when the process should serve again.
 */
public enum Fault {
  /** SIGKILL, and a start some time later, sometimes after its session has ended. */
  KILL("killed") {
    @Override
    void inject(Daemon daemon, Duration time) throws IOException, InterruptedException {
      daemon.kill();
      Thread.sleep(time.toMillis());
      daemon.start();
    }
  },
  /** SIGSTOP, and SIGCONT later, sometimes after its session has ended. */
  PAUSE("paused") {
    @Override
    void inject(Daemon daemon, Duration time) throws IOException, InterruptedException {
      daemon.pause();
      try {
        Thread.sleep(time.toMillis());
      } finally {
        daemon.resume();
      }
    }
  },
  /** SIGTERM, and a start when it has ended. */
  RESTART("restarted") {
    @Override
    void inject(Daemon daemon, Duration time)
        throws ToolException, IOException, InterruptedException {
      daemon.terminate();
      if (!daemon.awaitEnd(STOP_SECONDS_MAX)) {
        throw new ToolException(
            daemon.name()
                + " still runs "
                + STOP_SECONDS_MAX
                + " s after SIGTERM; see "
                + daemon.log());
      }
      if (daemon.exitCode() != 0 && daemon.exitCode() != SIGTERM) {
        throw new ToolException(
            daemon.name()
                + " ended with exit code "
                + daemon.exitCode()
                + " after SIGTERM; see "
                + daemon.log());
      }
      daemon.start();
    }
  };

  private static final long STOP_SECONDS_MAX = 60;

  /** Exit code of a JVM that has run its hooks after SIGTERM. */
  private static final int SIGTERM = 143;

  private final String word;

  Fault(String word) {
    this.word = word;
  }

  /**
   * Injects it, and returns when the process has been started or goes on.
   *
   * @param time how long the process is away, where that is left to chance
   */
  abstract void inject(Daemon daemon, Duration time)
      throws ToolException, IOException, InterruptedException;

  /** One of them. */
  static Fault any(Random random) {
    return values()[random.nextInt(values().length)];
  }

  @Override
  public String toString() {
    return word;
  }
}
