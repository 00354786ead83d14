package org.grampus.server.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One limit and what is taken of it. A reservation is had at once, or refused, or waited for. Any
 * thread.
 *
 * <p>Which reservations wait, and in which order they are served:
 *
 * <ul>
 *   <li>Each rank has a queue of its own, and smaller ranks come first. A rank may fill the pool
 *       further than those behind it, so one that waits for much never keeps a smaller rank
 *       waiting.
 *   <li>Within a rank the addresses take turns, and each one's reservations come in the order of
 *       their arrival, so that an address with many of them keeps others waiting for one.
 *   <li>The waiter whose turn has come is not overtaken within its rank, however much it wants:
 *       what comes back gathers for it, so that it does not starve behind those that want less.
 *       Only an address that has reached its own half is passed over, and keeps its turn.
 *   <li>Smaller ranks can keep a larger one waiting as long as they fill its share. So a waiter
 *       must have a limit of time, which the pool does not have: {@link #leave}. That limit also
 *       bounds how long a large reservation keeps the others of its rank waiting: an address whose
 *       first reservation gives up goes behind the others with its next one.
 * </ul>
 */
public final class MemoryPool {
  /** Where the memory is. */
  public enum Kind {
    /** Netty's buffers. */
    DIRECT(0),
    /** The Java heap. */
    HEAP(1),
    /** What the engine keeps for open scanners. */
    SCANNERS(2),
    /** The part of the direct memory that frames may have before their rest is granted. */
    BEGINNINGS(3);

    /** How many there are. */
    static final int COUNT = 4;

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

  /** Guards the turns, a list for each rank. */
  private final Object lock = new Object();

  private final EnumMap<Rank, List<Turn>> queues = new EnumMap<>(Rank.class);
  private volatile int waiting;

  /** The same by rank. */
  private final EnumMap<Rank, AtomicInteger> waitingAt = new EnumMap<>(Rank.class);

  /** A reservation that is not had yet. */
  private record Waiter(MemoryUse use, MemoryPeer peer, long bytes, Rank rank, Runnable granted) {}

  /** Those of one address, whose turns come round; never empty. */
  private record Turn(MemoryPeer peer, ArrayDeque<Waiter> waiters) {}

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
      queues.put(rank, new ArrayList<>());
      waitingAt.put(rank, new AtomicInteger());
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

  /** Whether the pool is below the share of {@link Rank#MEDIUM}, and the peer below its half. */
  boolean isPlentiful(MemoryPeer peer) {
    return used.get() < Rank.MEDIUM.share(limit) && peer.used(kind) < peerLimit;
  }

  /** Whether a reservation waits. */
  boolean isContended() {
    return waiting > 0;
  }

  /** Whether one of this rank waits. */
  boolean isContended(Rank rank) {
    return waitingAt.get(rank).get() > 0;
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
      turn(queues.get(rank), peer).waiters.add(waiter);
      count(rank, 1);
    }
    grant(); // memory may have come back before the waiter was seen
    return waiter;
  }

  private static Turn turn(List<Turn> queue, MemoryPeer peer) {
    for (Turn turn : queue) {
      if (turn.peer.equals(peer)) {
        return turn;
      }
    }
    Turn turn = new Turn(peer, new ArrayDeque<>());
    queue.add(turn);
    return turn;
  }

  private void count(Rank rank, int more) {
    synchronized (lock) {
      waiting += more;
      waitingAt.get(rank).addAndGet(more);
    }
  }

  /** Gives up waiting; false when the reservation has been had meanwhile. */
  boolean leave(Object waiter) {
    Rank rank = ((Waiter) waiter).rank;
    synchronized (lock) {
      if (!leave(queues.get(rank), waiter)) {
        return false;
      }
      count(rank, -1);
    }
    grant(); // those that it kept waiting
    return true;
  }

  /** A request that gave up its address's turn has had that turn: the address is the last now. */
  private static boolean leave(List<Turn> queue, Object waiter) {
    for (int at = 0; at < queue.size(); at++) {
      Turn turn = queue.get(at);
      boolean first = turn.waiters.peek() == waiter;
      if (turn.waiters.removeIf(other -> other == waiter)) {
        if (first) {
          queue.remove(at);
          if (!turn.waiters.isEmpty()) {
            queue.add(turn);
          }
        }
        return true;
      }
    }
    return false;
  }

  private void grant() {
    List<Waiter> granted = new ArrayList<>();
    synchronized (lock) {
      for (List<Turn> queue : queues.values()) {
        grant(queue, granted);
      }
    }
    for (Waiter waiter : granted) {
      counter.count(waiter.use, waiter.bytes);
      waiter.granted.run();
    }
  }

  private void grant(List<Turn> queue, List<Waiter> granted) {
    int at = 0;
    while (at < queue.size()) {
      Turn turn = queue.get(at);
      Waiter waiter = turn.waiters.peek();
      if (!tryAddToPeer(waiter.peer, waiter.bytes, waiter.rank)) {
        at++; // whether there is room or not: it is the address's own half that is used up
        continue;
      }
      if (!tryAdd(waiter.bytes, waiter.rank)) {
        waiter.peer.subtract(kind, waiter.bytes);
        return;
      }
      granted.add(turn.waiters.remove());
      count(waiter.rank, -1);
      queue.remove(at);
      if (!turn.waiters.isEmpty()) {
        queue.add(turn);
      }
    }
  }
}
