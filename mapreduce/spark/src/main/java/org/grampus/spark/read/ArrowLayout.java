package org.grampus.spark.read;

import org.apache.spark.unsafe.Platform;

/**
 * An {@code ArrowArray} of Arrow's C data interface in native memory, on machines of 64 bits, which
 * all of Grampus needs. Reads what is at an address: the caller knows that it is alive.
 */
final class ArrowLayout {
  private static final int LENGTH = 0;
  private static final int NULL_COUNT = 8;
  private static final int OFFSET = 16;
  private static final int BUFFERS = 40;
  private static final int CHILDREN = 48;

  private final long address;

  ArrowLayout(long address) {
    this.address = address;
  }

  private long field(int offset) {
    return Platform.getLong(null, address + offset);
  }

  /** Values, nulls among them. */
  int length() {
    return Math.toIntExact(field(LENGTH));
  }

  /** How many of them are null. */
  int nullCount() {
    return Math.toIntExact(field(NULL_COUNT));
  }

  /** Values before the first one. */
  int offset() {
    return Math.toIntExact(field(OFFSET));
  }

  /** The address of a buffer; 0 for one that is left out. */
  long buffer(int index) {
    return Platform.getLong(null, field(BUFFERS) + (long) Long.BYTES * index);
  }

  ArrowLayout child(int index) {
    return new ArrowLayout(Platform.getLong(null, field(CHILDREN) + (long) Long.BYTES * index));
  }
}
