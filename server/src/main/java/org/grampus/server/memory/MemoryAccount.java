package org.grampus.server.memory;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The memory that clients' requests take, reserved before it is used. Sizes on the heap are upper
 * estimates. Any thread.
 */
public final class MemoryAccount {
  /**
   * Beginnings of frames have this part of the direct memory. It is less than what large requests
   * may fill, so that beginnings never keep out all of the rests that they wait for.
   */
  private static final int BEGINNINGS_PART = 4;

  private final Map<MemoryPool.Kind, MemoryPool> pools = new EnumMap<>(MemoryPool.Kind.class);
  private final LongAdder[] uses = new LongAdder[MemoryUse.COUNT];
  private final LongAdder refused = new LongAdder();
  private final MemoryPool[] poolOfUse = new MemoryPool[MemoryUse.COUNT];

  /**
   * An account with these limits in bytes.
   *
   * @param direct of Netty's buffers
   * @param heap of messages and connections
   * @param scanners of what the engine keeps for open scanners
   */
  public MemoryAccount(long direct, long heap, long scanners) {
    pools.put(MemoryPool.Kind.DIRECT, pool(MemoryPool.Kind.DIRECT, direct));
    pools.put(MemoryPool.Kind.HEAP, pool(MemoryPool.Kind.HEAP, heap));
    pools.put(MemoryPool.Kind.SCANNERS, pool(MemoryPool.Kind.SCANNERS, scanners));
    long beginnings = Math.max(direct / BEGINNINGS_PART, 2L * Rank.SMALL_BYTES);
    pools.put(MemoryPool.Kind.BEGINNINGS, pool(MemoryPool.Kind.BEGINNINGS, beginnings));
    for (MemoryUse use : MemoryUse.values()) {
      uses[use.index()] = new LongAdder();
      poolOfUse[use.index()] = pools.get(use.pool());
    }
  }

  private MemoryPool pool(MemoryPool.Kind kind, long limit) {
    return new MemoryPool(kind, limit, (use, bytes) -> uses[use.index()].add(bytes));
  }

  /** The pool of this kind. */
  public MemoryPool pool(MemoryPool.Kind kind) {
    return pools.get(kind);
  }

  /** The pool from which this use is served. */
  public MemoryPool pool(MemoryUse use) {
    return poolOfUse[use.index()];
  }

  /** Bytes that are reserved for a use. */
  public long used(MemoryUse use) {
    return uses[use.index()].sum();
  }

  /** Counts a call or reply that is refused for want of memory. */
  public void refused() {
    refused.increment();
  }

  /** Calls and replies that were refused for want of memory. */
  public long refusedCount() {
    return refused.sum();
  }

  /**
   * Whether direct memory is short, so that slow peers must not keep theirs: three quarters are
   * taken, or there is a waiter.
   */
  public boolean isPressed() {
    MemoryPool direct = pools.get(MemoryPool.Kind.DIRECT);
    return direct.isContended() || direct.used() > Rank.MEDIUM.share(direct.limit());
  }

  /** Takes memory; false, taking none, when the rank's share or the address's half is used up. */
  public boolean tryReserve(MemoryUse use, MemoryPeer peer, long bytes, Rank rank) {
    if (!poolOfUse[use.index()].tryTake(peer, bytes, rank)) {
      return false;
    }
    uses[use.index()].add(bytes);
    return true;
  }

  /** Counts memory that is in use already, whatever the limit. */
  public void force(MemoryUse use, MemoryPeer peer, long bytes) {
    poolOfUse[use.index()].force(peer, bytes);
    uses[use.index()].add(bytes);
  }

  /** Gives memory back. */
  public void release(MemoryUse use, MemoryPeer peer, long bytes) {
    if (bytes != 0) {
      uses[use.index()].add(-bytes);
      poolOfUse[use.index()].give(peer, bytes);
    }
  }

  /**
   * Takes memory as soon as there is some.
   *
   * @param granted run once it is had, on any thread, perhaps before this returns
   */
  public Object await(MemoryUse use, MemoryPeer peer, long bytes, Rank rank, Runnable granted) {
    return poolOfUse[use.index()].enqueue(use, peer, bytes, rank, granted);
  }

  /** Gives up waiting; false when the memory has been had meanwhile and must be given back. */
  public boolean leave(MemoryUse use, Object waiter) {
    return poolOfUse[use.index()].leave(waiter);
  }

  /** Whether a request waits in the pool of this use. */
  public boolean isContended(MemoryUse use) {
    return poolOfUse[use.index()].isContended();
  }

  /**
   * Whether a request waits in the pool of this use at this rank, which others must not overtake.
   */
  public boolean isContended(MemoryUse use, Rank rank) {
    return poolOfUse[use.index()].isContended(rank);
  }
}
