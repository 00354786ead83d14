package org.grampus.perf.process;

import org.grampus.perf.ToolException;

/**
 * Waits until servers have been idle for two seconds, so that work left over is counted where it
 * was caused.
 */
public final class IdleWait {
  /** Time between two looks. */
  private static final long LOOK_MILLIS = 2000;

  /** What an idle server of either kind stays below in that time. */
  private static final long IDLE_MICROS = 250_000;

  /** An hour: a stock HBase compacts the longest tables for many minutes. */
  static final int LOOKS_MAX = 1800;

  private IdleWait() {}

  /** Processor time of the servers so far. */
  @FunctionalInterface
  public interface Cpu {
    /**
     * In µs.
     *
     * @throws ToolException when a server has ended
     */
    long micros() throws ToolException;
  }

  /** Lets the time between two looks pass. */
  @FunctionalInterface
  interface Pause {
    /** Returns when it has. */
    void pass() throws InterruptedException;
  }

  /**
   * Waits.
   *
   * @param what is waited for, in a sentence
   * @param servers how many there are
   * @param cpu is asked for their processor time
   * @throws ToolException when one has ended, or they are not idle after an hour
   */
  public static void until(String what, int servers, Cpu cpu)
      throws ToolException, InterruptedException {
    until(what, servers, cpu, () -> Thread.sleep(LOOK_MILLIS));
  }

  static void until(String what, int servers, Cpu cpu, Pause pause)
      throws ToolException, InterruptedException {
    long before = cpu.micros();
    for (int look = 0; look < LOOKS_MAX; look++) {
      pause.pass();
      long now = cpu.micros();
      if (now - before <= IDLE_MICROS * servers) {
        return;
      }
      before = now;
    }
    throw new ToolException("waited an hour in vain for " + what);
  }
}
