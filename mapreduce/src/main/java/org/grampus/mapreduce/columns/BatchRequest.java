package org.grampus.mapreduce.columns;

import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Rows that a program wants as batches. Immutable, but for the scan.
 *
 * @param table whose rows are wanted
 * @param snapshot that is read; null = one that is taken now, and removed at the end
 * @param throughServers whether the live table is read through its region servers, of Grampus or of
 *     HBase, and no snapshot
 * @param mapping the columns with their names and types (docs/downloads.md); null = those that the
 *     files have, as bytes
 * @param scan the rows, filter and times; its columns are those of the mapping unless it asks for
 *     more: rows come that have one of them
 */
public record BatchRequest(
    TableName table, String snapshot, boolean throughServers, String mapping, Scan scan) {
  /** Checks what can be checked without the table. */
  public BatchRequest {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(scan, "scan");
    if (throughServers && snapshot != null) {
      throw new IllegalArgumentException("servers have the live table, and no snapshot");
    }
  }

  /** All rows of a live table as of now, by a snapshot of one's own. */
  public static BatchRequest of(TableName table) {
    return new BatchRequest(table, null, false, null, new Scan().setCacheBlocks(false));
  }

  /** The rows of a snapshot of the table. */
  public BatchRequest ofSnapshot(String name) {
    return new BatchRequest(table, name, throughServers, mapping, scan);
  }

  /** The live table through its region servers. */
  public BatchRequest ofServers() {
    return new BatchRequest(table, null, true, mapping, scan);
  }

  /** These columns. */
  public BatchRequest columns(String newMapping) {
    return new BatchRequest(table, snapshot, throughServers, newMapping, scan);
  }

  /** These rows. */
  public BatchRequest rows(Scan newScan) {
    return new BatchRequest(table, snapshot, throughServers, mapping, newScan);
  }
}
