package org.grampus.server.netty;

import java.util.concurrent.TimeUnit;
import org.grampus.server.env.Env;

/**
 * How a peer gets on with the request that it sends or the replies that it reads. One that moves
 * nothing for too long has stopped; one that is slow while memory is short holds it for too long.
 * For one event loop.
 */
final class PeerProgress {
  /** How often a peer is checked. */
  static final long CHECK_MILLIS = 1_000;

  /** What a peer must move per second while memory is short. */
  private static final int PRESSED_BYTES_PER_SECOND = 256 << 10;

  /** How long it may be slower than that. */
  private static final long PRESSED_MILLIS = 10_000;

  /** How the peer gets on, and what becomes of its connection. */
  enum PeerState {
    /** It stays. */
    MOVING,
    /** It ends: nothing has moved for the whole timeout. */
    STOPPED,
    /** It ends: too little has moved while memory is short. */
    SLOW
  }

  private final long timeoutMillis;
  private long progressNanos;
  private long paceNanos;
  private long paceBytes;

  PeerProgress(long timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /** The peer is watched from now on; until now it could not move anything. */
  void begin() {
    progressNanos = Env.nanos();
    paceNanos = progressNanos;
    paceBytes = 0;
  }

  /** Counts bytes that moved; a negative number corrects an earlier one. */
  void moved(long bytes) {
    paceBytes += bytes;
    if (bytes > 0) {
      progressNanos = Env.nanos();
    }
  }

  /**
   * Checks the peer, once every {@link #CHECK_MILLIS}.
   *
   * @param memoryShort whether the memory that it holds is short: three quarters of the direct
   *     memory are taken, or there is a waiter for it or for a place of a partial frame
   */
  PeerState check(boolean memoryShort) {
    long now = Env.nanos();
    if (now - progressNanos >= TimeUnit.MILLISECONDS.toNanos(timeoutMillis)) {
      return PeerState.STOPPED;
    }
    if (now - paceNanos >= TimeUnit.MILLISECONDS.toNanos(PRESSED_MILLIS)) {
      long needed = TimeUnit.NANOSECONDS.toSeconds(now - paceNanos) * PRESSED_BYTES_PER_SECOND;
      if (memoryShort && paceBytes < needed) {
        return PeerState.SLOW;
      }
      paceNanos = now;
      paceBytes = 0;
    }
    return PeerState.MOVING;
  }

  /** The time without movement after which a peer has stopped. */
  long timeoutMillis() {
    return timeoutMillis;
  }

  /** Lets time pass, for tests: what has just moved is older by it. */
  void passed(long nanos) {
    progressNanos -= nanos;
    paceNanos -= nanos;
  }
}
