package org.grampus.server.memory;

import java.util.concurrent.atomic.AtomicLongArray;

/** What one address holds of each pool, over all its connections. Any thread. */
public final class MemoryPeer {
  private final AtomicLongArray used = new AtomicLongArray(MemoryPool.Kind.COUNT);
  private int connections;

  MemoryPeer() {}

  boolean tryAdd(MemoryPool.Kind pool, long bytes, long limit) {
    int index = pool.index();
    while (true) {
      long now = used.get(index);
      if (now + bytes > limit) {
        return false;
      }
      if (used.compareAndSet(index, now, now + bytes)) {
        return true;
      }
    }
  }

  void add(MemoryPool.Kind pool, long bytes) {
    used.addAndGet(pool.index(), bytes);
  }

  /** Bytes that the address holds of a pool. */
  public long used(MemoryPool.Kind pool) {
    return used.get(pool.index());
  }

  boolean holdsNothing() {
    for (int i = 0; i < used.length(); i++) {
      if (used.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Connections of the address; guarded by the registry of peers. */
  int connections() {
    return connections;
  }

  void connections(int count) {
    connections = count;
  }
}
