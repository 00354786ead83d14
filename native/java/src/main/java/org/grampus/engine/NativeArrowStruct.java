package org.grampus.engine;

/**
 * A struct of Arrow's C data interface in memory of the engine: an {@code ArrowArray} or an {@code
 * ArrowSchema}. What it points to is valid until it is closed, unless its consumer moves it away as
 * the interface says: it copies the bytes of the struct and sets {@code release} to null. Then the
 * consumer releases it, and closing frees the empty struct alone.
 *
 * <p>Any thread may read it. The caller that closes it must know that no thread reads any more.
 * What is read at its address afterwards is memory of something else.
 */
public final class NativeArrowStruct extends NativeHandle implements AutoCloseable {
  private final long address;

  NativeArrowStruct(long handle) {
    super(handle);
    address = address0(handle);
  }

  /**
   * Where the struct is.
   *
   * @throws EngineException NOT_SERVING once it is closed
   */
  public long address() {
    handle();
    return address;
  }

  /** Releases what is still there. */
  @Override
  public void close() {
    long live = release();
    if (live != 0) {
      close0(live);
    }
  }

  private static native long address0(long struct);

  private static native void close0(long struct);
}
