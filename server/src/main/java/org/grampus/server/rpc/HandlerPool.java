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

  private final BlockingQueue<Runnable> queue;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger active = new AtomicInteger();
  private volatile boolean closed;

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
  boolean offer(Runnable task) {
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
      Runnable task;
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

  /** Stops the threads after the task that each runs; what is queued is not run. */
  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      try {
        thread.join(JOIN_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
