package org.grampus.engine;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A file of rows as typed columns (Parquet, Avro, CSV, JSON lines, Arrow's stream) in the making.
 */
public final class NativeTableFile extends NativeSinkFile<TableFileReport> implements RowFeed {
  NativeTableFile(long handle) {
    super(handle, TableFileReport.class);
  }

  /**
   * Begins a file.
   *
   * @param sink takes the bytes of the file, as long as it is open
   * @throws EngineException BAD_REQUEST for a mapping or a format that cannot be, or a mapping
   *     without the row key but for Arrow; IO when the sink fails
   */
  public static NativeTableFile open(TableFileRequest request, TableSink sink) {
    requireSink(sink);
    return new NativeTableFile(open0(EngineJson.write(request), sink));
  }

  /**
   * The columns that a mapping reads, by family and qualifier; none for a mapping of all cells.
   *
   * @throws EngineException BAD_REQUEST for a mapping that cannot be
   */
  public static List<MappedColumn> columns(String mapping) {
    NativeLibraryLoader.load();
    return EngineJson.readAll(columns0(mapping), MappedColumn.class);
  }

  /**
   * All that a mapping says, for what goes from the columns of a file to cells.
   *
   * @throws EngineException BAD_REQUEST for a mapping that cannot be, or has no row key
   */
  public static TableMapping mapping(String mapping) {
    NativeLibraryLoader.load();
    return EngineJson.read(mapping0(mapping), TableMapping.class);
  }

  /**
   * Writes one Parquet file of the row groups of others, in their order, without decoding them. The
   * files need the same columns and the same order of rows; metadata is the first file's. In memory
   * are 1 MiB of one file at a time, its footer, and what the new file's footer has so far.
   *
   * @param paths of the files, one at least, as the opener knows them
   * @param files opens them, one after the other; null = local files
   * @param sink takes the bytes of the new file; what it throws ends the merge
   * @throws EngineException BAD_REQUEST for files that do not belong together; CORRUPT for one that
   *     is damaged or no Parquet file; IO when a file cannot be read, or with the exception of the
   *     sink. What the sink has taken is a part of a file then
   */
  public static TableFileReport mergeParquet(List<String> paths, FileOpener files, TableSink sink) {
    requireSink(sink);
    String json = EngineJson.write(paths.toArray(String[]::new));
    return EngineJson.read(mergeParquet0(json, files, sink), TableFileReport.class);
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

  @Override
  String finishNative(long file) {
    return finish0(file);
  }

  @Override
  void closeNative(long file) {
    close0(file);
  }

  private static native long open0(String requestJson, TableSink sink);

  private static native String columns0(String mapping);

  private static native String mapping0(String mapping);

  private static native String mergeParquet0(String pathsJson, FileOpener files, TableSink sink);

  private static native void begin0(long file, long scan);

  private static native boolean advance0(long file, ByteBuffer info);

  private static native void append0(
      long file, ByteBuffer cells, int offset, int length, int[] counts, int rows);

  private static native String finish0(long file);

  private static native void close0(long file);
}
