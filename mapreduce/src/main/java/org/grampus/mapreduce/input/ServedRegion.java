package org.grampus.mapreduce.input;

import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.mapreduce.TableSplit;

/**
 * A region as a plan begins with it: HBase's split of it, and its server. HBase's split has the
 * host alone, which several servers may share. It never leaves the plan, so that the server is not
 * written.
 */
public final class ServedRegion extends TableSplit {
  private final String server;

  /**
   * Rows of a region.
   *
   * @param start of the rows, which may be a part of the region
   * @param end of the rows
   * @param location of the region, with its server
   * @param bytes about how much there is to read
   */
  public ServedRegion(
      TableName table, byte[] start, byte[] end, HRegionLocation location, long bytes) {
    this(
        table,
        start,
        end,
        location.getHostname(),
        location.getRegion().getEncodedName(),
        bytes,
        location.getServerName().toString());
  }

  private ServedRegion(
      TableName table,
      byte[] start,
      byte[] end,
      String host,
      String encodedName,
      long bytes,
      String server) {
    super(table, null, start, end, host, encodedName, bytes); // the scan is in the job's keys
    this.server = server;
  }

  /** The server that a region is on; the host where a subclass of the format says no more. */
  static String server(TableSplit region) {
    return region instanceof ServedRegion served ? served.server : region.getRegionLocation();
  }

  /**
   * The rows from the start of a region to the end of one that begins within it, near the other.
   */
  static TableSplit joined(TableSplit before, TableSplit region) {
    return new ServedRegion(
        before.getTable(),
        before.getStartRow(),
        region.getEndRow(),
        region.getRegionLocation(),
        region.getEncodedRegionName(),
        Math.max(before.getLength(), region.getLength()),
        server(region));
  }

  // Two splits are the same when their rows are, as in HBase.

  @Override
  public boolean equals(Object other) {
    return super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
