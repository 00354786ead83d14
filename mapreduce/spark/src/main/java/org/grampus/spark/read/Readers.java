package org.grampus.spark.read;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.grampus.engine.NativeArrowStruct;
import org.grampus.mapreduce.columns.ServerResults;
import org.grampus.mapreduce.columns.SplitBatches;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.spark.conf.SentConfiguration;
import org.grampus.spark.mapping.Field;
import org.grampus.spark.mapping.Mapping;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the readers of partitions in executors. Any thread. */
final class Readers implements PartitionReaderFactory {
  private static final Logger LOG = LoggerFactory.getLogger(Readers.class);

  private static final long serialVersionUID = 1;

  private final SentConfiguration conf;
  private final Mapping mapping;
  private final Field[] fields;
  private final int counts;
  private final boolean ofServers;

  /**
   * Readers of fields.
   *
   * @param mapping of the columns that the fields are made of
   */
  Readers(SentConfiguration conf, Mapping mapping, Field[] fields, boolean ofServers) {
    this(conf, mapping, fields, 0, ofServers);
  }

  private Readers(
      SentConfiguration conf, Mapping mapping, Field[] fields, int counts, boolean ofServers) {
    this.conf = conf;
    this.mapping = mapping;
    this.fields = fields;
    this.counts = counts;
    this.ofServers = ofServers;
  }

  /**
   * Readers that count rows.
   *
   * @param mapping has the row key alone
   * @param counts fields of the one row that each has
   */
  static Readers ofCounts(SentConfiguration conf, Mapping mapping, int counts, boolean ofServers) {
    return new Readers(conf, mapping, new Field[0], counts, ofServers);
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return isColumnar();
  }

  /** Whether the readers have batches, and not rows. */
  boolean isColumnar() {
    return !ofServers && counts == 0;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    try {
      InputSplit split = ((SplitPartition) partition).split();
      return split == null ? new NoRows<>() : new NativeReader(batches(split), fields, places());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    try {
      InputSplit split = ((SplitPartition) partition).split();
      if (counts > 0) {
        return new CountReader(counted(split), counts);
      }
      return split == null
          ? new NoRows<>()
          : new ServerReader(ServerResults.open(conf.get(), split), fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private SplitBatches batches(InputSplit split) throws IOException {
    ScanSettings.of(conf.get(), ReaderKind.SNAPSHOT).log(LOG); // as each task of a job does
    LOG.info("reading {}", split);
    return SplitBatches.open(conf.get(), mapping.toString(), split, NativeReader::requireTask);
  }

  /** Where the fields are in a batch of the mapping. */
  private int[] places() {
    List<String> names = mapping.fields().stream().map(Field::name).toList();
    int[] places = new int[fields.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = names.indexOf(fields[i].name());
    }
    return places;
  }

  private CountReader.Rows counted(InputSplit split) throws IOException {
    if (split == null) {
      return new NoCount();
    }
    return ofServers
        ? new ServerCount(ServerResults.open(conf.get(), split))
        : new BatchCount(batches(split));
  }

  /** No rows. */
  private static final class NoRows<T> implements PartitionReader<T> {
    @Override
    public boolean next() {
      return false;
    }

    @Override
    public T get() {
      throw new IllegalStateException("there is no row");
    }

    @Override
    public void close() {}
  }

  private static final class NoCount implements CountReader.Rows {
    @Override
    public long next() {
      return 0;
    }

    @Override
    public void close() {}
  }

  /** Rows of batches. */
  private record BatchCount(SplitBatches batches) implements CountReader.Rows {
    @Override
    public long next() throws IOException {
      try (NativeArrowStruct batch = batches.next()) {
        return batch == null ? 0 : new ArrowLayout(batch.address()).length();
      }
    }

    @Override
    public void close() throws IOException {
      batches.close();
    }
  }

  /** Rows of servers. */
  private record ServerCount(ServerResults results) implements CountReader.Rows {
    @Override
    public long next() throws IOException {
      NativeReader.requireTask();
      return results.next() == null ? 0 : 1;
    }

    @Override
    public void close() throws IOException {
      results.close();
    }
  }
}
