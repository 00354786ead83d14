package org.grampus.spark;

import java.io.IOException;
import java.lang.ref.Cleaner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.grampus.mapreduce.columns.FoundColumns;
import org.grampus.mapreduce.columns.ReadSnapshot;
import org.grampus.mapreduce.snapshot.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshot that data frames read. Spark does not say when the last reader is done, so one that
 * was taken for them lives as long as something on the driver refers to the lease: a data frame, a
 * plan or a partition. Then it is removed, at the latest at the end of the process. Any thread.
 */
final class SnapshotLease {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotLease.class);

  private static final Cleaner CLEANER = Cleaner.create();

  private final Configuration conf;
  private final Snapshot snapshot;

  private SnapshotLease(Configuration conf, ReadSnapshot read) {
    this.conf = conf;
    this.snapshot = read.snapshot();
    CLEANER.register(this, read::close); // which must not refer to this
  }

  /**
   * Opens a snapshot, or takes one.
   *
   * @param named by the user, or null
   * @throws IOException when there is none, it is of another table, or none can be taken
   */
  static SnapshotLease open(Configuration conf, TableName table, String named) throws IOException {
    Configuration own = new Configuration(conf);
    return new SnapshotLease(own, ReadSnapshot.open(own, table, named, "spark", LOG::warn));
  }

  /** A configuration of one's own that leads to it. */
  Configuration configuration() {
    return new Configuration(conf);
  }

  /** The mapping of the columns that its files have, as bytes. */
  String foundColumns() throws IOException {
    return FoundColumns.mapping(conf, snapshot);
  }
}
