package org.grampus.server.rpc;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of threads behind a queue of bounded length. Tasks that throw cost no thread. Of
 * the threads that wait, the one that worked last takes the next task: its stack, its thread-local
 * buffers and the pooled memory of its last reply are still in the processor's caches, which a
 * queue that wakes its threads in turn would have cooled down. In the queue clients take turns
 * ({@link Turns}).
 */
final class HandlerPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerPool.class);
  private static final long JOIN_MILLIS = 10_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean HAS_PROCESSOR_CLOCK = THREADS.isCurrentThreadCpuTimeSupported();

  /** Of the queue, for addresses of which nothing waits: one part. */
  private static final int NEWCOMERS_PARTS = 8;

  private final int queueLength;
  private final Runnable threadStart;
  private final List<Handler> handlers = new ArrayList<>();
  private final AtomicInteger active = new AtomicInteger();

  /** Guards the fields below; held for a few instructions. */
  private final Object lock = new Object();

  private final Turns<Task> queue = new Turns<>();
  private final ArrayDeque<Handler> idle = new ArrayDeque<>();
  private boolean closed;

  /** What a handler runs, or, when the pool closes before, gives up. */
  interface Task {
    void run();

    void abandon();

    /** The address that it came from, which takes turns with others. */
    Object address();

    /** The connection that it came over, which takes turns with others of its address. */
    Object connection();

    /** Is told how many nanoseconds of a processor it took. */
    void took(long nanos);
  }

  HandlerPool(String name, int threadCount, int queueLength) {
    this(name, threadCount, queueLength, () -> {});
  }

  /**
   * A pool that is not running yet.
   *
   * @param threadStart what each thread does first
   */
  HandlerPool(String name, int threadCount, int queueLength, Runnable threadStart) {
    this.queueLength = queueLength;
    this.threadStart = threadStart;
    for (int i = 0; i < threadCount; i++) {
      handlers.add(new Handler(name + "-" + i));
    }
  }

  void start() {
    handlers.forEach(handler -> handler.thread.start());
  }

  /**
   * Hands a task to an idle handler or queues it; false when the queue is full or closed. The last
   * eighth of the queue is for addresses of which nothing waits there.
   */
  boolean offer(Task task) {
    Handler handler;
    synchronized (lock) {
      if (closed) {
        return false;
      }
      handler = idle.pollLast();
      if (handler == null) {
        return enqueue(task);
      }
      handler.next = task;
    }
    LockSupport.unpark(handler.thread);
    return true;
  }

  private boolean enqueue(Task task) {
    Object address = task.address();
    int most = queue.has(address) ? queueLength - queueLength / NEWCOMERS_PARTS : queueLength;
    if (queue.size() >= most) {
      return false;
    }
    queue.add(address, task.connection(), task);
    return true;
  }

  int queued() {
    synchronized (lock) {
      return queue.size();
    }
  }

  int active() {
    return active.get();
  }

  /** One thread and the task handed to it while it was idle. */
  private final class Handler {
    private final Thread thread;
    private volatile Task next;

    /** When its last task ended, by the thread's own clock. */
    private long measuredNanos;

    private Handler(String name) {
      thread = new FastThreadLocalThread(this::work, name);
      thread.setDaemon(true);
    }

    private void work() {
      threadStart.run();
      measuredNanos = processorNanos();
      for (Task task = take(); task != null; task = take()) {
        active.incrementAndGet();
        try {
          task.took(run(task));
        } catch (Throwable t) {
          LOG.error("what a handler's task took is not recorded", t);
        } finally {
          active.decrementAndGet();
        }
      }
    }

    /**
     * Runs a task; returns what it took of a processor, in nanoseconds. What the thread needed to
     * come to it is included, so that the clock, a system call, is read once per task; the wait for
     * it is not, for which another clock must be read again.
     */
    private long run(Task task) {
      long start = HAS_PROCESSOR_CLOCK ? measuredNanos : Env.nanos();
      try {
        task.run();
      } catch (Throwable t) {
        LOG.error("a handler's task failed", t);
      }
      measuredNanos = processorNanos();
      return measuredNanos - start;
    }

    /** What the thread has had of the processors; where it is not measured, the time. */
    private static long processorNanos() {
      return HAS_PROCESSOR_CLOCK ? THREADS.getCurrentThreadCpuTime() : Env.nanos();
    }

    /** The next task, or null once the pool is closed. */
    private Task take() {
      synchronized (lock) {
        Task queued = queue.poll();
        if (queued != null || closed) {
          return queued;
        }
        next = null;
        idle.addLast(this);
      }
      return await();
    }

    private Task await() {
      while (next == null && !isClosed()) {
        LockSupport.park(HandlerPool.this);
        // A stray interrupt ends no handler; uncleared, it would let every later park return.
        boolean unused = Thread.interrupted();
      }
      return next;
    }

    private boolean isClosed() {
      synchronized (lock) {
        return closed;
      }
    }
  }

  /**
   * Gives up what is queued and stops the threads after the task that each runs. Running tasks are
   * not interrupted, for an interrupt can break files that they write.
   */
  @Override
  public void close() {
    List<Task> abandoned;
    synchronized (lock) {
      closed = true;
      abandoned = queue.drain();
      idle.clear();
    }
    abandoned.forEach(Task::abandon);
    handlers.forEach(handler -> LockSupport.unpark(handler.thread));
    long end = Env.nanos() + JOIN_MILLIS * 1_000_000;
    for (Handler handler : handlers) {
      long millis = (end - Env.nanos()) / 1_000_000;
      if (millis <= 0 || !join(handler.thread, millis)) {
        return;
      }
    }
  }

  private static boolean join(Thread thread, long millis) {
    try {
      thread.join(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
