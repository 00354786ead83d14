package org.grampus.server.region;

import java.nio.ByteBuffer;
import org.grampus.engine.NativeRegion;

/**
 * The part of an engine region that serves requests; buffers and results are those of docs/jni.md.
 * All methods may be called from any thread.
 */
public interface EngineRegion {
  /** Runs a mutation batch; see {@link NativeRegion#mutate}. */
  long mutate(
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

  /** Reads one row; see {@link NativeRegion#get}. */
  long get(
      ByteBuffer spec,
      int specOffset,
      int specLength,
      ByteBuffer out,
      int outOffset,
      int outLength);

  /** Opens a scanner; see {@link NativeRegion#openScanner}. */
  EngineScanner openScanner(ByteBuffer spec, int specOffset, int specLength);
}
