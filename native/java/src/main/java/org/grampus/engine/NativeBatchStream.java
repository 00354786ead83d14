package org.grampus.engine;

import java.nio.ByteBuffer;

/**
 * Rows as batches of typed columns, in the form of Arrow's C data interface, which are taken as
 * they are made. Used by one thread at a time; close may come from any thread.
 *
 * <p>After an exception there are no more batches, and those before are not all.
 */
public final class NativeBatchStream extends NativeHandle implements RowFeed, AutoCloseable {
  NativeBatchStream(long handle) {
    super(handle);
  }

  /**
   * Begins a stream without rows.
   *
   * @throws EngineException BAD_REQUEST for a mapping that cannot be
   */
  public static NativeBatchStream open(BatchStreamRequest request) {
    NativeLibraryLoader.load();
    return new NativeBatchStream(open0(EngineJson.write(request)));
  }

  /**
   * The schema of the batches.
   *
   * @return an {@code ArrowSchema} of a struct whose fields are the columns; a new one for each
   *     call, which the caller closes
   */
  public NativeArrowStruct schema() {
    return new NativeArrowStruct(schema0(handle()));
  }

  @Override
  public void begin(NativeFrozenScan scan) {
    begin0(handle(), scan.release());
  }

  @Override
  public boolean advance(ScanInfo info) {
    return advance0(handle(), info.buffer());
  }

  @Override
  public void append(ByteBuffer cells, int[] counts, int rows) {
    DirectBuffers.requireInput(cells, "cells");
    append0(handle(), cells, cells.position(), cells.remaining(), counts, rows);
  }

  /**
   * Takes the next batch that was made.
   *
   * @return an {@code ArrowArray} of a struct whose children are the columns, which the caller
   *     closes and which outlives this stream; null when there is none yet
   */
  public NativeArrowStruct take() {
    long batch = take0(handle());
    return batch == 0 ? null : new NativeArrowStruct(batch);
  }

  /** Lets go of the scan, and of the batches that were not taken. */
  @Override
  public void close() {
    long live = release();
    if (live != 0) {
      close0(live);
    }
  }

  private static native long open0(String requestJson);

  private static native long schema0(long stream);

  private static native void begin0(long stream, long scan);

  private static native boolean advance0(long stream, ByteBuffer info);

  private static native void append0(
      long stream, ByteBuffer cells, int offset, int length, int[] counts, int rows);

  private static native long take0(long stream);

  private static native void close0(long stream);
}
