package org.grampus.server.service;

/**
 * Scanners that this server closed by itself, with the number that their next call had had, for a
 * client whose last call is late. The newest are remembered, in a ring that their ids lead into, so
 * that scans cost neither memory nor a walk however many there are. Any thread.
 */
final class ClosedScanners {
  /** The answer about a scanner that is not remembered. */
  static final long UNKNOWN = -1;

  /** 5 MiB; at 10,000 scans per second half a minute, longer than any call is late. */
  private static final int MAX_SCANNERS = 1 << 18;

  private static final int FIRST_SCANNERS = 1 << 10;

  private int[] ids = new int[FIRST_SCANNERS];
  private long[] nextCallSeqs = new long[FIRST_SCANNERS];
  private long[] forgetNanos = new long[FIRST_SCANNERS];

  /** Remembers a scanner by the lower half of its id, which is never 0. */
  synchronized void add(int id, long nextCallSeq, long forgetAtNanos, long nowNanos) {
    int slot = slot(id);
    while (isTaken(slot, nowNanos) && ids.length < MAX_SCANNERS) {
      grow(nowNanos);
      slot = slot(id);
    }
    ids[slot] = id;
    nextCallSeqs[slot] = nextCallSeq;
    forgetNanos[slot] = forgetAtNanos;
  }

  /** The number of the call that closed a scanner, or {@link #UNKNOWN}. */
  synchronized long nextCallSeq(int id, long nowNanos) {
    int slot = slot(id);
    return ids[slot] == id && isTaken(slot, nowNanos) ? nextCallSeqs[slot] : UNKNOWN;
  }

  /** Scanners for which there is room. */
  synchronized int capacity() {
    return ids.length;
  }

  private int slot(int id) {
    return id & (ids.length - 1);
  }

  private boolean isTaken(int slot, long nowNanos) {
    return ids[slot] != 0 && forgetNanos[slot] - nowNanos > 0;
  }

  private void grow(long nowNanos) {
    int[] oldIds = ids;
    long[] oldSeqs = nextCallSeqs;
    long[] oldForget = forgetNanos;
    ids = new int[oldIds.length * 2];
    nextCallSeqs = new long[ids.length];
    forgetNanos = new long[ids.length];
    for (int old = 0; old < oldIds.length; old++) {
      if (oldIds[old] != 0 && oldForget[old] - nowNanos > 0) {
        int slot = slot(oldIds[old]);
        ids[slot] = oldIds[old];
        nextCallSeqs[slot] = oldSeqs[old];
        forgetNanos[slot] = oldForget[old];
      }
    }
  }
}
