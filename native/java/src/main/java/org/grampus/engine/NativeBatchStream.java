package org.grampus.engine;

import java.nio.ByteBuffer;

/**
 * Rows as batches of typed columns, in the form of Arrow's C data interface. The rows come from
 * scans of frozen regions, one after the other, or from cells that were read elsewhere; batches are
 * taken as they are made. Used by one thread at a time; close may come from any thread.
 *
 * <p>After an exception there are no more batches, and those before are not all.
 */
public final class NativeBatchStream extends NativeHandle implements AutoCloseable {
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

  /**
   * Begins the rows of a scan, which {@link #advance} reads. The scan becomes the stream's: it is
   * closed as far as its other users are concerned.
   *
   * @param scan of which nothing was read, without a batch
   * @throws EngineException BUG when the scan before has not come to its end, or this one is in use
   */
  public void begin(NativeFrozenScan scan) {
    begin0(handle(), scan.release());
  }

  /**
   * Reads for about a second at most. A batch that it makes is taken by {@link #take}.
   *
   * @param info is told what the scan has looked at so far, its last row, and as complete rows
   *     those of it that batches have; it has no results
   * @return false when the scan has come to its end
   * @throws EngineException IO or CORRUPT when a file of the region cannot be read, BAD_REQUEST for
   *     a value that is not of its column's type
   */
  public boolean advance(ScanInfo info) {
    return advance0(handle(), info.buffer());
  }

  /**
   * Takes rows that were read elsewhere, which are batches when this returns.
   *
   * @param cells a direct buffer with KeyValues, one behind the other, between its position and its
   *     limit; within a row by family and qualifier, newer versions first
   * @param counts the number of cells of each row, as many as there are rows
   * @param rows how many of the counts are rows
   * @throws EngineException BAD_REQUEST for a value that is not of its column's type; BUG when a
   *     scan has not come to its end
   */
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
