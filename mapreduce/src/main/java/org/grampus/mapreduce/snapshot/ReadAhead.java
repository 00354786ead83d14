package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads of a file in large parts where they follow each other: a positioned read of a distributed
 * file system costs a request, whatever its size. A scan walks the pages of several columns side by
 * side, each front to back; each walk is a stream with a window of its own, which grows as the walk
 * goes on, and ends where another one has begun. A read that follows no other is made as it is
 * asked for. Any thread, one at a time.
 */
final class ReadAhead {
  /** Reads of the file below; a part that is not whole is an exception. */
  @FunctionalInterface
  interface Source {
    void readFully(long position, ByteBuffer into) throws IOException;
  }

  /** Streams of a file. Where more are walked at a time, their reads are made as asked for. */
  static final int STREAMS_MAX = 256;

  static final int WINDOW_MIN = 64 << 10;
  static final int WINDOW_MAX = 1 << 20;

  /** A walk may leave out as much as it has read last, up to these, which cost no request. */
  static final int GAP_MAX = 64 << 10;

  /** A window is this part of what the walk has read: where it ends is not known before. */
  private static final int WINDOW_SHARE = 2;

  private final Source source;
  private final long length;
  private final long bytesMax;
  private final List<Window> windows = new ArrayList<>(); // the one used last is the last

  /**
   * A reader of a file.
   *
   * @param length of the file
   * @param bytesMax that the windows share, about; 0 = every read is made as asked for
   */
  ReadAhead(Source source, long length, long bytesMax) {
    this.source = source;
    this.length = length;
    this.bytesMax = bytesMax;
  }

  /** Fills a buffer from a position on. */
  synchronized void readFully(long position, ByteBuffer into) throws IOException {
    if (bytesMax <= 0) {
      source.readFully(position, into);
      return;
    }
    long at = position;
    while (into.hasRemaining()) {
      Window window = take(at);
      at += window.holds(at) ? window.copy(at, into) : fetch(window, at, into);
      windows.add(window);
    }
  }

  /** The window that holds a position, or that ends before it, or one that has read nothing. */
  private Window take(long at) {
    int before = -1;
    for (int i = windows.size() - 1; i >= 0; i--) {
      Window window = windows.get(i);
      if (window.holds(at)) {
        return windows.remove(i);
      }
      if (window.endsBefore(at) && (before < 0 || window.end() > windows.get(before).end())) {
        before = i;
      }
    }
    if (before >= 0) {
      return windows.remove(before);
    }
    Window fresh = windows.size() < STREAMS_MAX ? new Window() : windows.remove(0);
    fresh.begin(at);
    return fresh;
  }

  /** Reads what is wanted, and more if the walk is known; returns what was wanted. */
  private int fetch(Window window, long at, ByteBuffer into) throws IOException {
    int wanted = into.remaining();
    long ahead = window.walked == 0 ? 0 : Math.min(nextBegin(at), at + windowBytes(window)) - at;
    if (ahead <= wanted) {
      source.readFully(at, into);
      window.passed(at, wanted);
    } else {
      window.fill(source, at, (int) ahead);
      window.copy(at, into);
    }
    return wanted;
  }

  private long windowBytes(Window window) {
    long share = Math.min(WINDOW_MAX, bytesMax / (windows.size() + 1));
    return Math.min(Math.max(WINDOW_MIN, window.walked / WINDOW_SHARE), share);
  }

  /** Where the next walk has begun, or the end of the file. */
  private long nextBegin(long at) {
    long next = length;
    for (Window window : windows) {
      next = window.begin > at ? Math.min(next, window.begin) : next;
    }
    return next;
  }

  /** A walk, and what it has read last. */
  private static final class Window {
    private long begin;
    private long walked;
    private long start;
    private int held;
    private int lastRead;
    private byte[] bytes = new byte[0];

    void begin(long at) {
      begin = at;
      walked = 0;
      start = at;
      held = 0;
      lastRead = 0;
    }

    long end() {
      return start + held;
    }

    boolean holds(long at) {
      return at >= start && at < end();
    }

    boolean endsBefore(long at) {
      return at >= end() && at - end() <= Math.min(GAP_MAX, lastRead);
    }

    int copy(long at, ByteBuffer into) {
      int from = (int) (at - start);
      int count = Math.min(held - from, into.remaining());
      into.put(bytes, from, count);
      return count;
    }

    /** Notes a read that is not kept. */
    void passed(long at, int count) {
      start = at + count;
      held = 0;
      note(count);
    }

    void fill(Source source, long at, int count) throws IOException {
      if (bytes.length < count) {
        bytes = new byte[count];
      }
      source.readFully(at, ByteBuffer.wrap(bytes, 0, count));
      start = at;
      held = count;
      note(count);
    }

    private void note(int count) {
      walked += count;
      lastRead = count;
    }
  }
}
