package org.grampus.server.rpc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.grampus.server.env.Env;

/**
 * Calls that wait for a time and for no thread: writes that the engine slows down. Handlers that
 * slept instead would be missed by reads and by other tables. Their number is bounded, their bytes
 * count as requests in flight, and none waits for longer than its client.
 */
final class DelayedCalls implements AutoCloseable {
  private final int limit;
  private final Consumer<Call> resume;
  private final Set<Call> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean closed;

  /**
   * At most {@code limit} calls wait; those that have waited are handed on, on their event loop.
   */
  DelayedCalls(int limit, Consumer<Call> resume) {
    this.limit = limit;
    this.resume = resume;
  }

  /** Lets a call wait; false when too many do. */
  boolean add(Call call, long nanos) {
    if (count.incrementAndGet() > limit) {
      count.decrementAndGet();
      return false;
    }
    long wait = call.hasDeadline() ? Math.min(nanos, call.deadlineNanos() - Env.nanos()) : nanos;
    waiting.add(call);
    if (closed) {
      giveUp(call);
      return true;
    }
    Future<?> unused =
        call.connection()
            .loop()
            .schedule(() -> goOn(call), Math.max(wait, 0), TimeUnit.NANOSECONDS);
    return true;
  }

  int count() {
    return count.get();
  }

  private void goOn(Call call) {
    if (leave(call)) {
      resume.accept(call);
    }
  }

  private void giveUp(Call call) {
    if (leave(call)) {
      call.giveUp(new RegionServerStoppedException("The server is stopping"));
    }
  }

  private boolean leave(Call call) {
    boolean left = waiting.remove(call);
    if (left) {
      count.decrementAndGet();
    }
    return left;
  }

  /** Gives up the calls that wait, and those that come. */
  @Override
  public void close() {
    closed = true;
    waiting.forEach(this::giveUp);
  }
}
