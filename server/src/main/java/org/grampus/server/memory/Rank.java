package org.grampus.server.memory;

/**
 * How far a reservation may fill its pool. Large ones leave room for smaller ones, and all leave
 * room for calls on system tables, so that no load keeps those out.
 */
public enum Rank {
  /** Calls on system tables and orders of the master, once they are known as such. */
  SYSTEM(16),
  /** At most {@link #SMALL_BYTES}. */
  SMALL(15),
  /** At most {@link #MEDIUM_BYTES}. */
  MEDIUM(12),
  /** Anything larger. */
  LARGE(8),
  /** What is kept to save work and can be given up. */
  OPTIONAL(4);

  /** What an ordinary call stays below, and what a connection may begin with unasked. */
  public static final int SMALL_BYTES = 64 << 10;

  /** What an ordinary batch or reply stays below. */
  public static final int MEDIUM_BYTES = 4 << 20;

  private static final int PARTS = 16;

  private final int parts;

  Rank(int parts) {
    this.parts = parts;
  }

  /** The rank of a reservation by its size. */
  public static Rank of(long bytes) {
    if (bytes <= SMALL_BYTES) {
      return SMALL;
    }
    return bytes <= MEDIUM_BYTES ? MEDIUM : LARGE;
  }

  /** The part of a limit up to which a pool may be filled. */
  long share(long limit) {
    return limit / PARTS * parts;
  }
}
