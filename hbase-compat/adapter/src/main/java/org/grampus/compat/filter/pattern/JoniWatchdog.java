package org.grampus.compat.filter.pattern;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.joni.Matcher;

/**
 * Interrupts searches of Joni that take too long. Its thread is started by the first search, checks
 * those that run four times a second, and ends when it has seen none for a minute.
 */
final class JoniWatchdog {
  private static final long CHECK_MILLIS = 250;
  private static final int IDLE_CHECKS_MAX = 240;

  private final Set<Search> running = ConcurrentHashMap.newKeySet();
  private Thread thread;

  /**
   * Begins to watch a search of the calling thread.
   *
   * @param endNanos when it is to be interrupted, as {@link System#nanoTime}
   */
  Search begin(Matcher matcher, long endNanos) {
    Search search = new Search(matcher, endNanos);
    running.add(search);
    start();
    return search;
  }

  /** Ends the watch. */
  void end(Search search) {
    running.remove(search);
  }

  private synchronized void start() {
    if (thread == null) {
      Thread next = new Thread(this::watch, "pattern-watchdog");
      next.setDaemon(true);
      next.start(); // may fail for want of threads: then the next search tries
      thread = next;
    }
  }

  private void watch() {
    try {
      for (int idle = 0; !isDone(idle); idle = running.isEmpty() ? idle + 1 : 0) {
        Thread.sleep(CHECK_MILLIS);
        long now = System.nanoTime();
        running.forEach(search -> search.check(now));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      hasEnded();
    }
  }

  /** However it came to its end, the next search starts another thread. */
  private synchronized void hasEnded() {
    if (thread == Thread.currentThread()) {
      thread = null;
    }
  }

  /** Under the lock of {@link #start}, so that a search that begins now finds a thread or none. */
  private synchronized boolean isDone(int idleChecks) {
    if (idleChecks < IDLE_CHECKS_MAX || !running.isEmpty()) {
      return false;
    }
    thread = null;
    return true;
  }

  /** A search that runs. */
  static final class Search {
    private final Matcher matcher;
    private final long endNanos;
    private volatile boolean tooLong;

    Search(Matcher matcher, long endNanos) {
      this.matcher = matcher;
      this.endNanos = endNanos;
    }

    /** Whether it was interrupted for its time. */
    boolean isTooLong() {
      return tooLong;
    }

    private void check(long now) {
      if (now - endNanos >= 0) {
        tooLong = true;
        matcher.interrupt();
      }
    }
  }
}
