package org.grampus.engine;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A column file in the making, of one family, outside of any region: for a load. Its cells come in
 * HBase's order. Used by one thread at a time; close may come from any thread.
 *
 * <p>After an exception the file is none, and what the sink has taken is a part of one. Closing
 * completes nothing: only {@link #finish} does. It takes memory for one row group, about 16 MiB.
 */
public final class NativeColumnFile extends NativeHandle implements AutoCloseable {
  NativeColumnFile(long handle) {
    super(handle);
  }

  /**
   * Begins a file.
   *
   * @param sink takes the bytes of the file, as long as it is open
   * @throws EngineException BAD_REQUEST for a family that cannot be
   */
  public static NativeColumnFile open(ColumnFileRequest request, TableSink sink) {
    Objects.requireNonNull(sink, "sink");
    NativeLibraryLoader.load();
    return new NativeColumnFile(open0(EngineJson.write(request), sink));
  }

  /**
   * Appends cells.
   *
   * @param cells a direct buffer with KeyValues, one behind the other, each with its length before
   *     it, between its position and its limit
   * @return bytes of the file so far, those of the row group in memory not counted
   * @throws EngineException BAD_REQUEST for a cell of another family, without a timestamp, or
   *     before the one that came last; IO with the exception of the sink
   */
  public long append(ByteBuffer cells) {
    DirectBuffers.requireInput(cells, "cells");
    return append0(handle(), cells, cells.position(), cells.remaining());
  }

  /**
   * Appends rows of another column file of the same family, as they are.
   *
   * @param path of the file, as the opener knows it
   * @param files opens it; null = a local file
   * @param from the first row; empty = the file's first
   * @param until the first row that is not meant; empty = none
   * @return as {@link #append}
   * @throws EngineException BAD_REQUEST for a file of another family, or rows that do not come
   *     after those that came last; CORRUPT or IO when it cannot be read; IO with the exception of
   *     the sink
   */
  public long appendRows(String path, FileOpener files, byte[] from, byte[] until) {
    return appendRows0(handle(), path, files, from, until);
  }

  /**
   * Completes the file. The sink has then taken all of it, and the file is closed.
   *
   * @throws EngineException IO when the sink fails, or has failed before
   */
  public ColumnFileReport finish() {
    long live = handle();
    release();
    return EngineJson.read(finish0(live), ColumnFileReport.class);
  }

  /**
   * Lets go of a file, which is none unless it was finished before. The sink is not called again.
   */
  @Override
  public void close() {
    long live = release();
    if (live != 0) {
      close0(live);
    }
  }

  private static native long open0(String requestJson, TableSink sink);

  private static native long append0(long file, ByteBuffer cells, int offset, int length);

  private static native long appendRows0(
      long file, String path, FileOpener files, byte[] from, byte[] until);

  private static native String finish0(long file);

  private static native void close0(long file);
}
