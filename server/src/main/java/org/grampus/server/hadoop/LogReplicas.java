package org.grampus.server.hadoop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.grampus.server.env.Repeated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On how many data nodes the open segments of logs are, and a roll where one is on too few: without
 * it such a segment would take groups for as long as it takes to fill it. A roll that does not help
 * is repeated after twice the time, up to a limit. Any thread.
 */
public final class LogReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplicas.class);

  private static final int LIMIT = 5;
  private static final int LIMIT_MAX = 20;
  private static final long INTERVAL_MILLIS = 30_000;
  private static final long STOP_MILLIS = 5000;

  private final int tolerable;
  private final int limit;
  private final long intervalMillis;

  /** Each with the data nodes that it should be on. */
  private final Map<FanOutAppend, Integer> open = new ConcurrentHashMap<>();

  private final CountDownLatch stopped = new CountDownLatch(1);
  private Thread thread;

  /** Checks in a row that found too few, and the one of them at which a roll is due. */
  private long checks;

  private long due = 2;
  private int fruitless;

  /**
   * With HBase's keys.
   *
   * @throws IllegalArgumentException when the time between checks is not above 0
   */
  LogReplicas(Configuration conf) {
    this.tolerable = conf.getInt("hbase.regionserver.hlog.tolerable.lowreplication", 0);
    int doublings = conf.getInt("hbase.regionserver.hlog.lowreplication.rolllimit", LIMIT);
    this.limit = Math.max(0, Math.min(doublings, LIMIT_MAX));
    this.intervalMillis =
        PositiveMillis.of(
            conf, "hbase.regionserver.hlog.check.lowreplication.interval", INTERVAL_MILLIS);
  }

  /** A segment is written from now on until it is closed or given up. */
  void add(FanOutAppend segment, int asked) {
    forget();
    open.put(segment, tolerable > 0 ? Math.min(tolerable, asked) : asked);
  }

  private void forget() {
    open.keySet().removeIf(FanOutAppend::isOver);
  }

  /** Data nodes of the open segment that has the fewest; 0 without one, or where one has broken. */
  public int least() {
    return open.keySet().stream()
        .filter(segment -> !segment.isOver())
        .mapToInt(FanOutAppend::replicas)
        .min()
        .orElse(0);
  }

  /**
   * Checks again and again on a thread of its own. Called once.
   *
   * @param roll of all logs; may wait and fail
   */
  public synchronized void start(Runnable roll) {
    Runnable check = Repeated.of("the check of the replicas of logs", () -> check(roll));
    thread = new Thread(() -> run(check), "grampus-log-replicas");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(Runnable check) {
    try {
      while (!stopped.await(intervalMillis, TimeUnit.MILLISECONDS)) {
        check.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * One check. For a segment that has broken each one rolls, so that the next write finds a fresh
   * one. Else a roll is due at the second one that finds too few, then at each 2nd, 4th …
   */
  void check(Runnable roll) {
    forget();
    if (open.keySet().stream().anyMatch(FanOutAppend::isBroken)) {
      roll(roll);
    } else if (open.entrySet().stream().anyMatch(e -> e.getKey().replicas() < e.getValue())) {
      rollIfDue(roll);
    } else {
      checks = 0;
      fruitless = 0;
      due = 2;
    }
  }

  private void rollIfDue(Runnable roll) {
    if (++checks >= due) {
      fruitless = Math.min(fruitless + 1, limit);
      due = checks + (1L << fruitless);
      roll(roll);
    }
  }

  private static void roll(Runnable roll) {
    try {
      roll.run();
    } catch (RuntimeException e) {
      LOG.warn("a log on too few data nodes goes on there: {}", e.toString());
    }
  }

  /**
   * Rolls no more. One that is under way is interrupted, as it may wait for a name node for minutes
   * and nothing needs its segment, and waited for during some seconds.
   */
  public synchronized void stop() throws InterruptedException {
    stopped.countDown();
    if (thread != null) {
      thread.interrupt();
      thread.join(STOP_MILLIS);
    }
  }
}
