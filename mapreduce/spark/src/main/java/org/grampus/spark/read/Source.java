package org.grampus.spark.read;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.spark.mapping.Mapping;

/** What a scan reads. Any thread. */
public interface Source {
  /** Its name in plans. */
  String name();

  /** Its columns. */
  Mapping mapping();

  /** The name of a field that is not null in any row; null when none is known. */
  String present();

  /** Whether rows come from region servers, and not from files. */
  boolean isOfServers();

  /** A new scan of the times that are wanted. */
  Scan scan();

  /**
   * Plans the splits of a scan. May take a snapshot.
   *
   * @throws IOException when the table cannot be read
   */
  Planned plan(Scan scan) throws IOException;
}
