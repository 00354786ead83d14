package org.grampus.perf.process;

import java.util.List;
import java.util.stream.IntStream;
import org.grampus.perf.ToolException;

/**
 * Waits until each of some servers has been idle for two seconds, so that work left over is counted
 * where it was caused.
 */
public final class IdleWait {
  /** Time between two polls. */
  private static final long POLL_MILLIS = 2000;

  /** What an idle server of either kind stays below in that time. */
  private static final long IDLE_MICROS = 250_000;

  /** An hour: a stock HBase compacts the longest tables for many minutes. */
  static final int POLLS_MAX = 1800;

  private IdleWait() {}

  /** Processor time of each server so far. */
  @FunctionalInterface
  public interface Cpu {
    /**
     * In µs, always in the same order.
     *
     * @throws ToolException when a server has ended
     */
    List<Long> micros() throws ToolException;
  }

  /** Lets the time between two polls pass. */
  @FunctionalInterface
  interface Pause {
    /** Returns when it has. */
    void pass() throws InterruptedException;
  }

  /**
   * Waits.
   *
   * @param what is waited for, in a sentence
   * @param cpu is asked for the servers' processor time
   * @throws ToolException when one has ended, or they are not idle after an hour
   */
  public static void until(String what, Cpu cpu) throws ToolException, InterruptedException {
    until(what, cpu, () -> Thread.sleep(POLL_MILLIS));
  }

  static void until(String what, Cpu cpu, Pause pause) throws ToolException, InterruptedException {
    List<Long> before = cpu.micros();
    for (int poll = 0; poll < POLLS_MAX; poll++) {
      pause.pass();
      List<Long> now = cpu.micros();
      if (areIdle(before, now)) {
        return;
      }
      before = now;
    }
    throw new ToolException("waited an hour in vain for " + what);
  }

  /** Each by itself: one that is busy would hide behind others that do nothing at all. */
  private static boolean areIdle(List<Long> before, List<Long> now) {
    return IntStream.range(0, now.size())
        .allMatch(server -> now.get(server) - before.get(server) <= IDLE_MICROS);
  }
}
