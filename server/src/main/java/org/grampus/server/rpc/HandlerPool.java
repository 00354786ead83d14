package org.grampus.server.rpc;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A fixed number of threads behind a queue of bounded length. Tasks that throw cost no thread. */
final class HandlerPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerPool.class);
  private static final long JOIN_MILLIS = 10_000;

  private final BlockingQueue<Task> queue;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger active = new AtomicInteger();
  private volatile boolean closed;

  /** What a handler runs, or, when the pool closes before, gives up. */
  interface Task {
    void run();

    void abandon();
  }

  /** Wakes a handler that waits for work. */
  private static final class WakeUp implements Task {
    @Override
    public void run() {}

    @Override
    public void abandon() {}
  }

  HandlerPool(String name, int threadCount, int queueLength) {
    queue = new ArrayBlockingQueue<>(queueLength);
    for (int i = 0; i < threadCount; i++) {
      Thread thread = new FastThreadLocalThread(this::work, name + "-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Queues a task; false when the queue is full or the pool is closed. */
  boolean offer(Task task) {
    return !closed && queue.offer(task);
  }

  int queued() {
    return queue.size();
  }

  int active() {
    return active.get();
  }

  private void work() {
    while (!closed) {
      Task task;
      try {
        task = queue.take();
      } catch (InterruptedException e) {
        continue; // only close ends a handler; a stray interrupt does not
      }
      active.incrementAndGet();
      try {
        task.run();
      } catch (Throwable t) {
        LOG.error("a handler's task failed", t);
      } finally {
        active.decrementAndGet();
      }
    }
  }

  /**
   * Gives up what is queued and stops the threads after the task that each runs. Running tasks are
   * not interrupted, for an interrupt can break files that they write.
   */
  @Override
  public void close() {
    closed = true;
    long end = System.nanoTime() + JOIN_MILLIS * 1_000_000;
    for (Thread thread : threads) {
      while (thread.isAlive() && System.nanoTime() - end < 0) {
        abandonQueued();
        boolean unused = queue.offer(new WakeUp()); // a full queue wakes it as well
        if (!join(thread)) {
          return;
        }
      }
    }
    abandonQueued();
  }

  private static boolean join(Thread thread) {
    try {
      thread.join(10);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void abandonQueued() {
    for (Task task = queue.poll(); task != null; task = queue.poll()) {
      task.abandon();
    }
  }
}
