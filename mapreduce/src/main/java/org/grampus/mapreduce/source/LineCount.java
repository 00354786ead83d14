package org.grampus.mapreduce.source;

/** Counts the lines of a text, which end with CR LF, LF or CR. One thread. */
public final class LineCount {
  private long line = 1;
  private boolean behindCr;

  /** At the beginning of a text. */
  public LineCount() {}

  /** The line of the next byte, from 1 on. */
  public long line() {
    return line;
  }

  /** Takes a byte. */
  public void take(byte next) {
    line += next == '\r' || (next == '\n' && !behindCr) ? 1 : 0;
    behindCr = next == '\r';
  }
}
