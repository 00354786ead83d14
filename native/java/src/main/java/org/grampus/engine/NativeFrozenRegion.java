package org.grampus.engine;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A region whose files do not change, such as one of a snapshot, read without a server: the cells
 * are those that a server would return. Needs no engine; all methods may be called from any thread,
 * and block.
 */
public final class NativeFrozenRegion extends NativeHandle implements AutoCloseable {
  NativeFrozenRegion(long handle) {
    super(handle);
  }

  /**
   * Opens the files of a region.
   *
   * @param files every file is opened and read through it, as long as the region or a scan of it is
   *     open; null = local disks
   * @param patterns evaluates the regular expressions that the engine does not; null = such are
   *     refused
   * @throws EngineException IO when a file is missing or cannot be read, CORRUPT when it is
   *     damaged, BAD_REQUEST for a request that is wrong
   */
  public static NativeFrozenRegion open(
      FrozenRegionRequest request, FileOpener files, PatternCompiler patterns) {
    NativeLibraryLoader.load();
    return new NativeFrozenRegion(open0(EngineJson.write(request), files, patterns));
  }

  /**
   * Cuts the region for readers that take a part each. The pieces cover all rows of all files, in
   * ascending order; each has about {@code pieceBytes} of all files that overlap, but for the last
   * one, which may be smaller, and for rows that are larger. Of a region that has more than about
   * 4,096 of them they are larger.
   *
   * @param pieceBytes above 0
   * @return none for a region without rows
   * @throws EngineException IO or CORRUPT when a page of row keys cannot be read, BAD_REQUEST for
   *     an HFile that HBase wrote
   */
  public List<RowPiece> pieces(long pieceBytes) {
    return EngineJson.readAll(pieces0(handle(), pieceBytes), RowPiece.class);
  }

  /**
   * The columns that the files have. Of some there may be no cell: all of them are deleted, or lie
   * in a part of a shared file that is another region's. Reads the pages of rare columns; the
   * others are known from the files' footers.
   *
   * @param most how many of a family; one with more is not complete
   * @return the families that are open, by name
   * @throws EngineException BAD_REQUEST when a file is HBase's own; IO or CORRUPT when one cannot
   *     be read
   */
  public List<FamilyColumns> columns(int most) {
    return EngineJson.readAll(columns0(handle(), most), FamilyColumns.class);
  }

  /**
   * What all scans of the region have read so far, and the calls above. It is asked once for a
   * whole scan, not for each call.
   */
  public FrozenReads reads() {
    return EngineJson.read(reads0(handle()), FrozenReads.class);
  }

  /**
   * Begins a scan. It goes on when the region is closed.
   *
   * @param readSpec a direct buffer with a read spec of docs/jni.md between its position and its
   *     limit; with a batch each result is a batch. Its read point has no effect
   * @param nowMillis the clock of times to live, in ms since 1970
   * @throws EngineException BAD_REQUEST for a spec of one row by name, or for a batch with a filter
   *     that decides on whole rows; NO_SUCH_FAMILY; IO or CORRUPT when a file cannot be read, of
   *     which the first pages are looked at
   */
  public NativeFrozenScan scan(ByteBuffer readSpec, long nowMillis) {
    DirectBuffers.requireInput(readSpec, "a read spec");
    return new NativeFrozenScan(
        scan0(handle(), readSpec, readSpec.position(), readSpec.remaining(), nowMillis));
  }

  /** Lets go of the files, once the scans that read them are closed. */
  @Override
  public void close() {
    long live = release();
    if (live != 0) {
      close0(live);
    }
  }

  private static native long open0(String requestJson, FileOpener files, PatternCompiler patterns);

  private static native String pieces0(long region, long pieceBytes);

  private static native String columns0(long region, int most);

  private static native String reads0(long region);

  private static native long scan0(
      long region, ByteBuffer spec, int offset, int length, long nowMillis);

  private static native void close0(long region);
}
