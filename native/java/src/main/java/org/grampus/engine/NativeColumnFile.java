package org.grampus.engine;

import java.nio.ByteBuffer;

/**
 * A column file in the making, of one family, outside of any region: for a load. Its cells come in
 * HBase's order. It takes memory for one row group, about 16 MiB.
 */
public final class NativeColumnFile extends NativeSinkFile<ColumnFileReport> {
  NativeColumnFile(long handle) {
    super(handle, ColumnFileReport.class);
  }

  /**
   * Begins a file.
   *
   * @param sink takes the bytes of the file, as long as it is open
   * @throws EngineException BAD_REQUEST for a family that cannot be
   */
  public static NativeColumnFile open(ColumnFileRequest request, TableSink sink) {
    requireSink(sink);
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

  @Override
  String finishNative(long file) {
    return finish0(file);
  }

  @Override
  void closeNative(long file) {
    close0(file);
  }

  private static native long open0(String requestJson, TableSink sink);

  private static native long append0(long file, ByteBuffer cells, int offset, int length);

  private static native long appendRows0(
      long file, String path, FileOpener files, byte[] from, byte[] until);

  private static native String finish0(long file);

  private static native void close0(long file);
}
