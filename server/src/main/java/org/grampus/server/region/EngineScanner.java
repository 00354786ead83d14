package org.grampus.server.region;

import java.nio.ByteBuffer;
import org.grampus.engine.NativeScanner;

/** An open engine scanner. Used by one thread at a time; close may come from any thread. */
public interface EngineScanner extends AutoCloseable {
  /** Produces the next results; see {@link NativeScanner#next}. */
  long next(
      int maxResults,
      int limitOfRows,
      long sizeLimit,
      long timeBudgetMillis,
      int flags,
      ByteBuffer out,
      int outOffset,
      int outLength,
      ByteBuffer info);

  /** What it keeps in memory; see {@link NativeScanner#memoryBytes}. */
  long memoryBytes();

  /** Keeps as little as possible; see {@link NativeScanner#dropPages}. */
  void dropPages();

  @Override
  void close();
}
