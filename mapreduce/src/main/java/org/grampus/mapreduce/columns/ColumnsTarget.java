package org.grampus.mapreduce.columns;

import org.grampus.engine.NativeFrozenScan;
import org.grampus.engine.ScanInfo;

/** Takes the rows of scans as columns within the engine: a file, or batches. One thread. */
public interface ColumnsTarget {
  /** Begins the rows of a scan, which becomes the target's. */
  void begin(NativeFrozenScan scan);

  /**
   * Takes rows of the scan that was begun, for about a second.
   *
   * @param info is told how far the scan is
   * @return false when all of them are taken
   */
  boolean advance(ScanInfo info);
}
