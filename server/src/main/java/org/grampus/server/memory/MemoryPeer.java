package org.grampus.server.memory;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLongArray;

/** What one address holds of each pool, over all its connections. Any thread. */
public final class MemoryPeer {
  private final AtomicLongArray used = new AtomicLongArray(MemoryPool.Kind.COUNT);
  private final MemoryPeers peers;
  private final InetAddress address;

  /** Read without the registry's lock too, after a change of what is used. */
  private volatile int connections;

  /**
   * A peer of this registry.
   *
   * @param address its key there, or null
   */
  MemoryPeer(MemoryPeers peers, InetAddress address) {
    this.peers = peers;
    this.address = address;
  }

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

  /** Takes away what was added; a peer without connections that holds nothing more is forgotten. */
  void subtract(MemoryPool.Kind pool, long bytes) {
    used.addAndGet(pool.index(), -bytes);
    if (connections == 0 && holdsNothing()) {
      peers.forgetUnused(address, this);
    }
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

  /** Connections of the address; changed under the registry's lock. */
  int connections() {
    return connections;
  }

  void connections(int count) {
    connections = count;
  }
}
