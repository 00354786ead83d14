package org.grampus.server.testkit;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.grampus.engine.CompactionRequest;
import org.grampus.engine.EngineRegion;
import org.grampus.engine.EngineScanner;
import org.grampus.engine.LoadReport;
import org.grampus.engine.LoadRequest;
import org.grampus.engine.RegionStats;
import org.grampus.engine.RowPiece;
import org.grampus.engine.SnapshotFiles;

/** An engine region that another does the work of; what a test watches or changes it overrides. */
public class DelegatingRegion implements EngineRegion {
  private static final int SPEC_FLAGS = 4;
  private static final int SPEC_NON_BLOCKING = 1;

  private final EngineRegion region;

  /** Stands in front of a region. */
  public DelegatingRegion(EngineRegion region) {
    this.region = region;
  }

  @Override
  public long mutate(long token, ByteBuffer ops, ByteBuffer cells, ByteBuffer out) {
    return region.mutate(token, ops, cells, out);
  }

  @Override
  public long get(ByteBuffer spec, ByteBuffer out) {
    return region.get(spec, out);
  }

  @Override
  public EngineScanner openScanner(ByteBuffer spec) {
    return region.openScanner(spec);
  }

  /** Whether a read spec forbids to block. */
  protected static boolean isNonBlocking(ByteBuffer spec) {
    return (spec.get(spec.position() + SPEC_FLAGS) & SPEC_NON_BLOCKING) != 0;
  }

  @Override
  public RegionStats stats() {
    return region.stats();
  }

  @Override
  public void flush() {
    region.flush();
  }

  @Override
  public void flushAndCompact() {
    region.flushAndCompact();
  }

  @Override
  public SnapshotFiles snapshotFiles(boolean flush) {
    return region.snapshotFiles(flush);
  }

  @Override
  public LoadReport loadFiles(LoadRequest request, BooleanSupplier mayWrite) {
    return region.loadFiles(request, mayWrite);
  }

  @Override
  public void compact(CompactionRequest request) {
    region.compact(request);
  }

  @Override
  public long clearCache() {
    return region.clearCache();
  }

  @Override
  public List<RowPiece> pieces(long pieceBytes, long timeMillis) {
    return region.pieces(pieceBytes, timeMillis);
  }

  @Override
  public byte[] splitPoint() {
    return region.splitPoint();
  }

  @Override
  public void close(boolean abort) {
    region.close(abort);
  }
}
