package org.grampus.engine;

import java.nio.ByteBuffer;

/**
 * Takes rows as typed columns within the engine: of scans of frozen regions, one after the other,
 * or of cells that were read elsewhere. Used by one thread at a time.
 */
public interface RowFeed {
  /**
   * Begins the rows of a scan, which {@link #advance} reads. The scan becomes the feed's: it is
   * closed as far as its other users are concerned.
   *
   * @param scan of which nothing was read, without a batch
   * @throws EngineException BUG when the scan before has not come to its end, or this one is in use
   */
  void begin(NativeFrozenScan scan);

  /**
   * Reads for about a second at most, and makes a batch of it when there is enough.
   *
   * @param info is told what the scan has looked at so far, its last row, and as complete rows
   *     those of it that batches have; it has no results
   * @return false when the scan has come to its end, and batches have all of its rows
   * @throws EngineException IO or CORRUPT when a file of the region cannot be read, BAD_REQUEST for
   *     a value that is not of its column's type, IO with the exception of a file's sink
   */
  boolean advance(ScanInfo info);

  /**
   * Takes rows that were read elsewhere, which batches have when this returns.
   *
   * @param cells a direct buffer with KeyValues, one behind the other, between its position and its
   *     limit; within a row by family and qualifier, newer versions first
   * @param counts the number of cells of each row, as many as there are rows
   * @param rows how many of the counts are rows
   * @throws EngineException as {@link #advance}; BUG when a scan has not come to its end
   */
  void append(ByteBuffer cells, int[] counts, int rows);
}
