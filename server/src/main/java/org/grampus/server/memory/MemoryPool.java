package org.grampus.server.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One limit and what is taken of it. A reservation is had at once, or refused, or waited for: those
 * who wait are served in the order of their arrival within their rank, but for an address that has
 * reached its own limit, behind which the others go on. Any thread.
 */
public final class MemoryPool {
  /** Where the memory is. */
  public enum Kind {
    /** Netty's buffers. */
    DIRECT(0),
    /** The Java heap. */
    HEAP(1),
    /** What the engine keeps for open scanners. */
    SCANNERS(2);

    /** How many there are. */
    static final int COUNT = 3;

    private final int index;

    Kind(int index) {
      this.index = index;
    }

    /** Its place in arrays. */
    int index() {
      return index;
    }
  }

  private final Kind kind;
  private final long limit;
  private final long peerLimit;
  private final AtomicLong used = new AtomicLong();

  /** Guards the queues, one for each rank. */
  private final Object lock = new Object();

  private final EnumMap<Rank, ArrayDeque<Waiter>> queues = new EnumMap<>(Rank.class);
  private volatile int waiting;

  /** A reservation that is not had yet. */
  private record Waiter(MemoryUse use, MemoryPeer peer, long bytes, Rank rank, Runnable granted) {}

  /** Told of every reservation that a queue has granted. */
  interface Granted {
    void count(MemoryUse use, long bytes);
  }

  private final Granted counter;

  MemoryPool(Kind kind, long limit, Granted counter) {
    this.kind = kind;
    this.limit = limit;
    this.peerLimit = limit / 2;
    this.counter = counter;
    for (Rank rank : Rank.values()) {
      queues.put(rank, new ArrayDeque<>());
    }
  }

  /** Bytes that may be taken in all. */
  public long limit() {
    return limit;
  }

  /** Bytes that are taken. */
  public long used() {
    return used.get();
  }

  /** The largest reservation of any size that can ever be had. */
  public long largest() {
    return Math.min(peerLimit, Rank.LARGE.share(limit));
  }

  /** Whether a reservation waits. */
  boolean isContended() {
    return waiting > 0;
  }

  /** Takes bytes; false when the rank's share or the peer's half is used up. */
  boolean tryTake(MemoryPeer peer, long bytes, Rank rank) {
    if (!tryAdd(bytes, rank)) {
      return false;
    }
    if (tryAddToPeer(peer, bytes, rank)) {
      return true;
    }
    used.addAndGet(-bytes);
    if (waiting > 0) {
      grant(); // meanwhile others may have found too little
    }
    return false;
  }

  private boolean tryAddToPeer(MemoryPeer peer, long bytes, Rank rank) {
    if (rank == Rank.SYSTEM) {
      peer.add(kind, bytes);
      return true;
    }
    return peer.tryAdd(kind, bytes, peerLimit);
  }

  private boolean tryAdd(long bytes, Rank rank) {
    long most = rank.share(limit);
    while (true) {
      long now = used.get();
      if (now + bytes > most) {
        return false;
      }
      if (used.compareAndSet(now, now + bytes)) {
        return true;
      }
    }
  }

  /** Counts what is in use already, whatever the limit. */
  void force(MemoryPeer peer, long bytes) {
    used.addAndGet(bytes);
    peer.add(kind, bytes);
  }

  void give(MemoryPeer peer, long bytes) {
    used.addAndGet(-bytes);
    peer.subtract(kind, bytes);
    if (waiting > 0) {
      grant();
    }
  }

  /**
   * Queues a reservation.
   *
   * @param granted run once it is had, on any thread
   * @return what {@link #leave} takes
   */
  Object enqueue(MemoryUse use, MemoryPeer peer, long bytes, Rank rank, Runnable granted) {
    Waiter waiter = new Waiter(use, peer, bytes, rank, granted);
    synchronized (lock) {
      queues.get(rank).add(waiter);
      waiting++;
    }
    grant(); // memory may have come back before the waiter was seen
    return waiter;
  }

  /** Gives up waiting; false when the reservation has been had meanwhile. */
  boolean leave(Object waiter) {
    synchronized (lock) {
      boolean left = queues.get(((Waiter) waiter).rank).removeIf(other -> other == waiter);
      if (left) {
        waiting--;
      }
      return left;
    }
  }

  private void grant() {
    List<Waiter> granted = new ArrayList<>();
    synchronized (lock) {
      for (ArrayDeque<Waiter> queue : queues.values()) {
        grant(queue, granted);
      }
      waiting -= granted.size();
    }
    for (Waiter waiter : granted) {
      counter.count(waiter.use, waiter.bytes);
      waiter.granted.run();
    }
  }

  private void grant(ArrayDeque<Waiter> queue, List<Waiter> granted) {
    for (Iterator<Waiter> each = queue.iterator(); each.hasNext(); ) {
      Waiter waiter = each.next();
      if (!tryAdd(waiter.bytes, waiter.rank)) {
        return;
      }
      if (tryAddToPeer(waiter.peer, waiter.bytes, waiter.rank)) {
        each.remove();
        granted.add(waiter);
      } else {
        used.addAndGet(-waiter.bytes);
      }
    }
  }
}
