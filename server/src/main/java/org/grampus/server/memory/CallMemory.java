package org.grampus.server.memory;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.client.RowTooBigException;

/**
 * What one call holds of the account, given back when the call is over. A reply's part goes with
 * the reply. Any thread.
 */
public final class CallMemory {
  private static final MemoryUse[] USES = MemoryUse.values();

  private final MemoryAccount account;
  private final MemoryPeer peer;
  private final long[] held = new long[MemoryUse.COUNT];
  private boolean system;

  /** Read for each call, without the lock. */
  private volatile boolean fromReserve;

  private boolean closed;

  /** Memory for a call of this peer. */
  public CallMemory(MemoryAccount account, MemoryPeer peer) {
    this.account = account;
    this.peer = peer;
  }

  /** The call is one on system tables or of the master: ordinary load does not keep it out. */
  public synchronized void system(boolean isSystem) {
    system = isSystem;
  }

  /** Whether something was taken of what is kept for such calls. */
  public boolean tookFromReserve() {
    return fromReserve;
  }

  /**
   * Whether memory is plentiful: less than three quarters of the pool are reserved, and the address
   * has less than half of it. A hint, which reserves nothing: a reservation after it may still
   * fail. Takes no lock.
   */
  public boolean isPlentiful(MemoryUse use) {
    return account.pool(use).isPlentiful(peer);
  }

  /** Counts a refusal for want of memory. */
  public void refused() {
    account.refused();
  }

  /** What is held for a use. */
  public synchronized long held(MemoryUse use) {
    return held[use.index()];
  }

  /** Takes over what was reserved for the call before there was one. */
  public synchronized void adopt(MemoryUse use, long bytes) {
    held[use.index()] += bytes;
  }

  /** Takes memory at its rank; false when there is none. */
  public synchronized boolean tryReserve(MemoryUse use, long bytes) {
    boolean first = system && bytes <= Rank.MEDIUM_BYTES;
    return tryReserve(use, bytes, first ? Rank.SYSTEM : Rank.of(bytes));
  }

  /** Takes memory at a rank; false when there is none, or the call is over. */
  public synchronized boolean tryReserve(MemoryUse use, long bytes, Rank rank) {
    if (closed || !account.tryReserve(use, peer, bytes, rank)) {
      return false;
    }
    if (rank == Rank.SYSTEM) {
      fromReserve = true;
    }
    held[use.index()] += bytes;
    return true;
  }

  /** Takes what is missing to a total, at the rank of the total; false when it is not to be had. */
  public synchronized boolean tryReserveUpTo(MemoryUse use, long total) {
    boolean first = system && total <= Rank.MEDIUM_BYTES;
    long more = total - held(use);
    return more <= 0 || tryReserve(use, more, first ? Rank.SYSTEM : Rank.of(total));
  }

  /**
   * Takes memory.
   *
   * @param what names it in the error
   * @throws CallQueueTooBigException when there is none now, which clients try again
   * @throws RowTooBigException when the limit is smaller
   */
  public void require(MemoryUse use, long bytes, String what) throws IOException {
    if (!tryReserve(use, bytes)) {
      throw refuse(use, bytes, what);
    }
  }

  /**
   * Counts a refusal, and makes its error: CallQueueTooBigException, which clients try again, or
   * RowTooBigException when the limit is smaller.
   *
   * @param what names it
   */
  public IOException refuse(MemoryUse use, long bytes, String what) {
    account.refused();
    long most = account.pool(use).largest();
    return bytes > most
        ? new RowTooBigException(
            what + " of " + bytes + " bytes; this server has at most " + most + " for one")
        : new CallQueueTooBigException(
            "No memory now for " + what + " of " + bytes + " bytes; try again");
  }

  /** Counts memory that is needed whatever the limit; nothing once the call is over. */
  public synchronized void force(MemoryUse use, long bytes) {
    if (!closed) {
      account.force(use, peer, bytes);
      held[use.index()] += bytes;
    }
  }

  /** Counts a buffer of {@code bytes} in all, whatever the limit, above what is held already. */
  public synchronized void forceUpTo(MemoryUse use, long bytes) {
    long more = bytes - held(use);
    if (more > 0) {
      force(use, more);
    }
  }

  /** The most that one call can have for a use. */
  public long most(MemoryUse use) {
    return account.pool(use).largest();
  }

  /** Gives a part back. */
  public synchronized void release(MemoryUse use, long bytes) {
    if (!closed) {
      held[use.index()] -= bytes;
      account.release(use, peer, bytes);
    }
  }

  /** Hands over what is held for a use; the taker gives it back. */
  public synchronized long take(MemoryUse use) {
    long bytes = held[use.index()];
    held[use.index()] = 0;
    return bytes;
  }

  /** Gives everything back; nothing can be taken afterwards. */
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (MemoryUse use : USES) {
      account.release(use, peer, held[use.index()]);
    }
    Arrays.fill(held, 0);
  }
}
