package org.grampus.server.hadoop;

import java.io.IOException;

/**
 * Calls of Hadoop's clients by threads that were interrupted before: a stop interrupts threads that
 * then still close their regions, and each call would fail at once, those of the log included. An
 * interrupt that comes during a call fails that call alone. Any thread.
 */
final class Uninterrupted {
  private Uninterrupted() {}

  /** A call. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** Runs a call without the thread's interrupt, which is there again afterwards. */
  static <T> T run(Call<T> call) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return call.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
