package org.grampus.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Owner of one engine handle: a table slot with a generation, so that a use after close is an
 * exception and never a wild pointer.
 */
abstract class NativeHandle {
  private static final long CLOSED = 0;

  private final AtomicLong handle;

  NativeHandle(long handle) {
    this.handle = new AtomicLong(handle);
  }

  /** The live handle; throws once closed. */
  final long handle() {
    long live = handle.get();
    if (live == CLOSED) {
      throw new EngineException(ErrorKind.NOT_SERVING, getClass().getSimpleName() + " is closed");
    }
    return live;
  }

  /** Takes the handle for closing: the first caller gets it, later ones 0. */
  final long release() {
    return handle.getAndSet(CLOSED);
  }
}
