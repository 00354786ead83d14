package org.grampus.engine;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;

/** An open region of the native engine. */
public final class NativeRegion extends NativeHandle implements EngineRegion {
  NativeRegion(long handle) {
    super(handle);
  }

  @Override
  public long mutate(long token, ByteBuffer ops, ByteBuffer cells, ByteBuffer out) {
    DirectBuffers.requireInput(ops, "operations");
    DirectBuffers.requireInput(cells, "cells");
    DirectBuffers.requireOutput(out, "answers");
    return mutate0(
        handle(),
        token,
        ops,
        ops.position(),
        ops.remaining(),
        cells,
        cells.position(),
        cells.remaining(),
        out,
        out.position(),
        out.remaining());
  }

  @Override
  public long get(ByteBuffer spec, ByteBuffer out) {
    DirectBuffers.requireInput(spec, "a read spec");
    DirectBuffers.requireOutput(out, "cells");
    return get0(
        handle(), spec, spec.position(), spec.remaining(), out, out.position(), out.remaining());
  }

  @Override
  public NativeScanner openScanner(ByteBuffer spec) {
    DirectBuffers.requireInput(spec, "a read spec");
    long scanner = openScanner0(handle(), spec, spec.position(), spec.remaining());
    return scanner == 0 ? null : new NativeScanner(scanner);
  }

  /** What the open found. */
  public OpenReport openReport() {
    return EngineJson.read(openReport0(handle()), OpenReport.class);
  }

  @Override
  public RegionStats stats() {
    return RegionStatsReply.read(stats0(handle())).values().iterator().next();
  }

  @Override
  public void flush() {
    flush0(handle(), false);
  }

  @Override
  public void flushAndCompact() {
    flush0(handle(), true);
  }

  @Override
  public SnapshotFiles snapshotFiles(boolean flush) {
    return EngineJson.read(snapshotFiles0(handle(), flush), SnapshotFiles.class);
  }

  @Override
  public LoadReport loadFiles(LoadRequest request, BooleanSupplier mayWrite) {
    String report = loadFiles0(handle(), EngineJson.write(request), mayWrite);
    return EngineJson.read(report, LoadReport.class);
  }

  @Override
  public void compact(CompactionRequest request) {
    compact0(handle(), EngineJson.write(request));
  }

  @Override
  public long clearCache() {
    return clearCache0(handle());
  }

  @Override
  public List<RowPiece> pieces(long pieceBytes, long timeMillis) {
    return EngineJson.readAll(pieces0(handle(), pieceBytes, timeMillis), RowPiece.class);
  }

  @Override
  public byte[] splitPoint() {
    return splitPoint0(handle());
  }

  @Override
  public void close(boolean abort) {
    long live = release();
    if (live != 0) {
      close0(live, abort);
    }
  }

  private static native long mutate0(
      long region,
      long token,
      ByteBuffer ops,
      int opsOffset,
      int opsLength,
      ByteBuffer cells,
      int cellsOffset,
      int cellsLength,
      ByteBuffer out,
      int outOffset,
      int outLength);

  private static native long get0(
      long region,
      ByteBuffer spec,
      int specOffset,
      int specLength,
      ByteBuffer out,
      int outOffset,
      int outLength);

  private static native long openScanner0(long region, ByteBuffer spec, int offset, int length);

  private static native String openReport0(long region);

  private static native byte[] stats0(long region);

  private static native void flush0(long region, boolean compact);

  private static native String snapshotFiles0(long region, boolean flush);

  private static native String loadFiles0(
      long region, String requestJson, BooleanSupplier mayWrite);

  private static native void compact0(long region, String requestJson);

  private static native long clearCache0(long region);

  private static native String pieces0(long region, long pieceBytes, long timeMillis);

  private static native byte[] splitPoint0(long region);

  private static native void close0(long region, boolean abort);
}
