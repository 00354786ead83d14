package org.grampus.spark.read;

import java.lang.ref.Cleaner;

/**
 * The memory of a batch. The thread that has read the batch may be in it when another one closes
 * the reader; then the memory stays until no column refers to it.
 */
final class BatchMemory {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Thread reader = Thread.currentThread();
  private final Runnable free;

  /**
   * Memory that the calling thread reads.
   *
   * @param free lets go of it, and must not refer to this object
   */
  BatchMemory(Runnable free) {
    this.free = free;
  }

  /** Lets go of the memory: at once when the reading thread says so. Called once. */
  void free() {
    if (Thread.currentThread() == reader) {
      free.run();
    } else {
      CLEANER.register(this, free);
    }
  }
}
