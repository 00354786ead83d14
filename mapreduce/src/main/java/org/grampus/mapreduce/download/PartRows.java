package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.columns.FrozenColumns;
import org.grampus.mapreduce.input.ReadCounters;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.TableInputFormat;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows of a part, from a snapshot's files or from servers. One thread. */
final class PartRows {
  private static final Logger LOG = LoggerFactory.getLogger(PartRows.class);

  /** Rows between two reports of the task that it is alive. */
  private static final int ROWS_PER_REPORT = 1000;

  private final TaskAttemptContext context;
  private final PartSplit part;
  private final PartProgress progress;
  private final LongSupplier written;

  /**
   * Rows that are not read yet.
   *
   * @param progress of the part, which is told how far it is
   * @param written bytes of the file so far
   */
  PartRows(TaskAttemptContext context, PartProgress progress, LongSupplier written) {
    this.context = context;
    this.part = progress.part();
    this.progress = progress;
    this.written = written;
  }

  /** Writes them as columns, those of a snapshot within the engine. */
  void writeColumns(ColumnsPartFile file) throws IOException, InterruptedException {
    if (part.ofSnapshot() != null) {
      writeFrozen(file);
    } else {
      append(file);
    }
  }

  private void writeFrozen(ColumnsPartFile file) throws IOException {
    Configuration conf = context.getConfiguration();
    ScanSettings settings = ScanSettings.of(conf, ReaderKind.SNAPSHOT);
    settings.log(LOG);
    LOG.info("reading {}", part);
    ReadCounters counters = new ReadCounters(ReadCounters.Counting.of(context));
    counters.settings(settings.effective());
    try (FrozenColumns columns =
        new FrozenColumns(conf, part.ofSnapshot(), file.feed(), counters)) {
      boolean more = true;
      while (more) {
        more = columns.advance();
        progress.update(columns.rows(), written.getAsLong(), columns.share());
      }
      counters.own("ROWS", columns.rows());
    }
  }

  /** Appends the results that an input format has. */
  void append(PartFile file) throws IOException, InterruptedException {
    if (part.ofSnapshot() != null) {
      append(
          new SnapshotInputFormat().createRecordReader(part.ofSnapshot(), context),
          part.ofSnapshot(),
          file);
    } else if (part.ofTable() != null) {
      TableInputFormat format = new TableInputFormat();
      format.setConf(context.getConfiguration());
      append(format.createRecordReader(part.ofTable(), context), part.ofTable(), file);
    }
  }

  private void append(
      RecordReader<ImmutableBytesWritable, Result> results, InputSplit split, PartFile file)
      throws IOException, InterruptedException {
    long rows = 0;
    try (RecordReader<ImmutableBytesWritable, Result> reader = results) {
      reader.initialize(split, context);
      while (reader.nextKeyValue()) {
        file.append(reader.getCurrentValue());
        if (++rows % ROWS_PER_REPORT == 0) {
          progress.update(rows, written.getAsLong(), reader.getProgress());
        }
      }
    }
  }
}
