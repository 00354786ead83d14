package org.grampus.perf.pe.option;

import org.apache.hadoop.hbase.client.Scan;

/**
 * How calls are made, in plain values: they are resolved once, where the run begins, and sent to
 * clients elsewhere, whose configuration no longer says where a value comes from.
 *
 * @param scan how scans ask
 * @param bufferBytes of a client's buffer of writes
 * @param seed of the order of random tests
 */
public record CallSettings(ScanCalls scan, long bufferBytes, long seed) {
  /**
   * How scans ask.
   *
   * @param caching rows of a call
   * @param maxResultBytes of a call
   * @param cacheBlocks whether the server keeps what it reads
   * @param readType how the server reads
   * @param asyncPrefetch whether the client asks ahead
   */
  public record ScanCalls(
      int caching,
      long maxResultBytes,
      boolean cacheBlocks,
      Scan.ReadType readType,
      boolean asyncPrefetch) {
    /** Applies it to a scan. */
    public Scan to(Scan scan) {
      return scan.setCaching(caching)
          .setMaxResultSize(maxResultBytes)
          .setCacheBlocks(cacheBlocks)
          .setReadType(readType)
          .setAsyncPrefetch(asyncPrefetch);
    }
  }
}
