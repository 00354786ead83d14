package org.grampus.perf.stream;

/** What a log waits for before it acknowledges a group. */
public enum Sync {
  /** It is in the memory of all data nodes. */
  HFLUSH("hflush"),

  /** It is there, and then on their media: what the engine's log does for FSYNC_WAL. */
  HFLUSH_HSYNC("hflush + hsync"),

  /** It is on their media, in one trip. */
  HSYNC("hsync");

  private final String words;

  Sync(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
