package org.grampus.perf.stream;

/** The calls of a stream after which a log acknowledges a group. */
public enum SyncCalls {
  /** The group is in the memory of all data nodes. */
  HFLUSH("hflush"),

  /** It is there, and then on their media: what the engine's log does for FSYNC_WAL. */
  HFLUSH_HSYNC("hflush + hsync"),

  /** It is on their media, in one trip. */
  HSYNC("hsync");

  private final String words;

  SyncCalls(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
