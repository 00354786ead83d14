package org.grampus.server.assignment;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * The ids of orders that were taken, so that each runs once: the master repeats an order whose
 * answer it did not see, also a new master that finds it unfinished. Ids of orders that have ended
 * are remembered for as long as HBase does. Any thread.
 */
final class ProcedureIds {
  /** The id of an order that is no procedure's; it may run any number of times. */
  static final long NONE = -1;

  private final ConcurrentMap<Long, Boolean> taken;
  private final Cache<Long, Boolean> ended =
      CacheBuilder.newBuilder()
          .expireAfterAccess(10, TimeUnit.MINUTES)
          .maximumSize(100_000)
          .build();

  /** No order was taken yet. */
  ProcedureIds() {
    this(new ConcurrentHashMap<>());
  }

  ProcedureIds(ConcurrentMap<Long, Boolean> taken) {
    this.taken = taken;
  }

  /**
   * Whether an order is to run. It is told of by {@link #end} or {@link #giveBack} then.
   *
   * <p>In this order: one that ends meanwhile is among those that have ended before it leaves those
   * that were taken, so one of the two questions finds it.
   */
  boolean take(long id) {
    if (id == NONE) {
      return true;
    }
    if (taken.putIfAbsent(id, Boolean.TRUE) != null) {
      return false;
    }
    if (ended.getIfPresent(id) == null) {
      return true;
    }
    taken.remove(id);
    return false;
  }

  /** An order has run. */
  void end(long id) {
    ended.put(id, Boolean.TRUE);
    taken.remove(id);
  }

  /** An order could not begin: the master's next one is to run. */
  void giveBack(long id) {
    taken.remove(id);
  }
}
