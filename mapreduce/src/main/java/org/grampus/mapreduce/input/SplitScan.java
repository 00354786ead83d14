package org.grampus.mapreduce.input;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;

/** A job's scan within a range of rows, whichever way the scan goes. */
public final class SplitScan {
  private SplitScan() {}

  /** The scan of the rows of a range that is not empty. */
  public static Scan of(Scan scan, KeyRange range) throws IOException {
    Scan part = new Scan(scan);
    return scan.isReversed()
        ? part.withStartRow(range.end(), range.end().length == 0).withStopRow(range.start(), true)
        : part.withStartRow(range.start(), true).withStopRow(range.end(), false);
  }
}
