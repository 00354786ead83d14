package org.grampus.mapreduce.columns;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a table as batches of typed columns, in splits that may be read side by side, in this
 * process or in others. Closing it removes the snapshot that it has taken, so it is closed when the
 * last split is read. Any thread.
 */
public final class TableBatches implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TableBatches.class);

  private final Configuration conf;
  private final String mapping;
  private final List<? extends InputSplit> splits;

  /** Null for rows of servers. */
  private final ReadSnapshot snapshot;

  private TableBatches(
      Configuration conf,
      String mapping,
      List<? extends InputSplit> splits,
      ReadSnapshot snapshot) {
    this.conf = conf;
    this.mapping = mapping;
    this.splits = splits;
    this.snapshot = snapshot;
  }

  /**
   * Opens the snapshot, or takes one, and plans the splits, by the keys of docs/mapreduce.md that
   * do not say which rows there are: the request's scan does.
   *
   * @param conf leads to the cluster; it is not changed
   * @throws IllegalArgumentException for a mapping or a scan that cannot be
   * @throws IOException when the table cannot be read
   */
  public static TableBatches open(Configuration conf, BatchRequest request) throws IOException {
    Configuration job = new Configuration(conf);
    job.set(TableInputFormat.INPUT_TABLE, request.table().getNameAsString());
    if (request.throughServers()) {
      if (request.mapping() == null) {
        throw new IllegalArgumentException(
            "a table that is read through servers needs a mapping: only files say which columns"
                + " there are");
      }
      return planned(job, request, request.mapping(), null);
    }
    ScanSettings.requireValid(job, ReaderKind.SNAPSHOT); // before a snapshot is taken
    ReadSnapshot read =
        ReadSnapshot.open(job, request.table(), request.snapshot(), "batches", LOG::warn);
    try {
      String mapping =
          request.mapping() != null
              ? request.mapping()
              : FoundColumns.mapping(job, read.snapshot());
      return planned(job, request, mapping, read);
    } catch (IOException | RuntimeException e) {
      read.close();
      throw e;
    }
  }

  private static TableBatches planned(
      Configuration job, BatchRequest request, String mapping, ReadSnapshot snapshot)
      throws IOException {
    Scan scan = MappedScan.of(new Scan(request.scan()), mapping);
    return new TableBatches(
        job, mapping, ColumnsSplits.plan(job, scan, request.throughServers()), snapshot);
  }

  /** What leads to the rows, for readers in other processes. */
  public Configuration configuration() {
    return conf;
  }

  /** The columns with their names and types. */
  public String mapping() {
    return mapping;
  }

  /**
   * The rows in the order of their keys, in parts. Each is a {@link org.apache.hadoop.io.Writable}
   * with hosts that are near its files or regions; none for a table without rows.
   */
  public List<? extends InputSplit> splits() {
    return splits;
  }

  /**
   * Reads one of the splits, which the caller closes.
   *
   * @throws IOException when it cannot be begun
   */
  public SplitBatches read(InputSplit split) throws IOException {
    return SplitBatches.open(conf, mapping, split, () -> {});
  }

  @Override
  public void close() {
    if (snapshot != null) {
      snapshot.close();
    }
  }
}
