package org.grampus.server.netty;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks peers again after {@link PeerProgress#CHECK_MILLIS}, on their event loops. The time passes
 * in a thread of its own, {@code peer-checks-*}: while a server is busy some check is always
 * pending, and an event loop that has a timer makes the kernel set and cancel one in each of its
 * waits. The checks of a loop that are due together take one turn of it.
 */
class PeerChecks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerChecks.class);

  /** A loop is woken for checks no more often than that. */
  private static final long TURN_MILLIS = 100;

  private final Map<EventExecutor, LoopQueue> queues = new ConcurrentHashMap<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("peer-checks", true));

  /** A check that is pending. For one event loop. */
  static final class Check {
    private final long dueNanos;
    private Runnable task;

    Check(Runnable task) {
      this.task = task;
      this.dueNanos = Env.nanos() + TimeUnit.MILLISECONDS.toNanos(PeerProgress.CHECK_MILLIS);
    }

    /** It does not run any more, and holds nothing of its connection. */
    void cancel() {
      task = null;
    }

    void run() {
      Runnable pending = task;
      task = null;
      if (pending != null) {
        pending.run();
      }
    }
  }

  /** Runs a check later, unless the server has ended by then. On the given event loop only. */
  Check later(EventExecutor loop, Runnable task) {
    Check check = new Check(task);
    queues.computeIfAbsent(loop, LoopQueue::new).add(check);
    return check;
  }

  /** No check runs any more. */
  @Override
  public void close() {
    clock.shutdownNow();
  }

  /** The checks of an event loop. All but {@link #hand} runs on the loop. */
  private final class LoopQueue {
    private final EventExecutor loop;

    /** In the order in which they are due, as all wait for the same time. */
    private final ArrayDeque<Check> pending = new ArrayDeque<>();

    private boolean awaited;

    LoopQueue(EventExecutor loop) {
      this.loop = loop;
    }

    void add(Check check) {
      pending.add(check);
      await();
    }

    /** Has the first check run when it is due. */
    private void await() {
      Check first = pending.peek();
      if (awaited || first == null) {
        return;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(first.dueNanos - Env.nanos()) + 1;
      awaited = schedule(Math.max(millis, TURN_MILLIS));
    }

    private boolean schedule(long millis) {
      try {
        var unused = clock.schedule(this::hand, millis, TimeUnit.MILLISECONDS);
        return true;
      } catch (RejectedExecutionException e) {
        LOG.debug("the server ends; peers are not checked again", e);
        return false;
      }
    }

    private void hand() {
      try {
        loop.execute(this::runDue);
      } catch (RejectedExecutionException e) {
        if (loop.isShuttingDown()) {
          LOG.debug("the event loop has ended, and its connections with it", e);
          return;
        }
        LOG.warn("an event loop takes no checks of its peers; they are tried again", e);
        schedule(PeerProgress.CHECK_MILLIS);
      }
    }

    private void runDue() {
      awaited = false;
      long now = Env.nanos();
      while (!pending.isEmpty() && pending.peek().dueNanos - now <= 0) {
        try {
          pending.remove().run();
        } catch (RuntimeException | Error e) {
          LOG.error("a peer was not checked; its connection is not watched any more", e);
        }
      }
      await();
    }
  }
}
