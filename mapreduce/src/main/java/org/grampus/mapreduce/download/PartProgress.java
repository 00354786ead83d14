package org.grampus.mapreduce.download;

/** How far a part is. One thread says so, any may ask. */
final class PartProgress {
  /** Takes what was written since it was last told. */
  @FunctionalInterface
  interface Listener {
    void wrote(long rows, long bytes);
  }

  private final PartSplit part;
  private volatile float share;
  private Listener listener = (rows, bytes) -> {};
  private long rows;
  private long bytes;

  PartProgress(PartSplit part) {
    this.part = part;
  }

  /** What is written. */
  PartSplit part() {
    return part;
  }

  /** Tells this from now on of rows and bytes, and that the task is alive. */
  void listener(Listener newListener) {
    listener = newListener;
  }

  /**
   * Says how much is written.
   *
   * @param newRows of the part so far
   * @param newBytes of its file so far
   * @param newShare of its rows, from 0 to 1
   */
  void update(long newRows, long newBytes, float newShare) {
    listener.wrote(newRows - rows, newBytes - bytes);
    rows = newRows;
    bytes = newBytes;
    share = newShare;
  }

  /** How much of the part is written, from 0 to 1. */
  float share() {
    return share;
  }
}
