package org.grampus.mapreduce.download;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.SnapshotSplits;
import org.grampus.mapreduce.input.TableInputFormat;

/** Writes one part of a download to a file. One thread. */
final class PartWriter {
  /** Rows between two reports of the task that it is alive. */
  private static final int ROWS_PER_REPORT = 1000;

  private final TaskAttemptContext context;
  private final DownloadRequest request;
  private final PartProgress progress;
  private final PartSplit part;

  PartWriter(TaskAttemptContext context, DownloadRequest request, PartProgress progress) {
    this.context = context;
    this.request = request;
    this.progress = progress;
    this.part = progress.part();
  }

  /** Writes the file, which is complete and durable when this returns. */
  PartReport write(FileSystem fs, Path path) throws IOException, InterruptedException {
    try (CountedOutput out = CountedOutput.create(fs, path)) {
      long rows = request.format() == FileFormat.SEQ ? writeRows(out) : writeColumns(out);
      PartReport report = out.report(path, rows);
      progress.update(report.rows(), report.bytes(), 1);
      return report;
    }
  }

  private long writeRows(CountedOutput out) throws IOException, InterruptedException {
    try (PartFile file =
        new SeqPartFile(
            context.getConfiguration(), new FSDataOutputStream(out, null), request.codec())) {
      copy(file, out);
      return file.finish();
    }
  }

  private long writeColumns(CountedOutput out) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    boolean ascend = !TableName.isMetaTableName(request.table()); // which has an order of its own
    String snapshot = conf.get(SnapshotSplits.SNAPSHOT_KEY);
    try (ColumnsPartFile file =
        new ColumnsPartFile(
            request.tableFile(part.number(), snapshot, ascend), new StreamSink(out))) {
      if (part.ofSnapshot() != null) {
        new FrozenColumns(conf, part.ofSnapshot(), progress).write(file, out);
      } else {
        copy(file, out);
      }
      return file.finish();
    }
  }

  /** Appends the results that an input format has. */
  private void copy(PartFile file, CountedOutput out) throws IOException, InterruptedException {
    if (part.ofSnapshot() != null) {
      RecordReader<ImmutableBytesWritable, Result> reader =
          new SnapshotInputFormat().createRecordReader(part.ofSnapshot(), context);
      copy(reader, part.ofSnapshot(), file, out);
    } else if (part.ofTable() != null) {
      TableInputFormat format = new TableInputFormat();
      format.setConf(context.getConfiguration());
      copy(format.createRecordReader(part.ofTable(), context), part.ofTable(), file, out);
    }
  }

  private void copy(
      RecordReader<ImmutableBytesWritable, Result> results,
      InputSplit split,
      PartFile file,
      CountedOutput out)
      throws IOException, InterruptedException {
    long rows = 0;
    try (RecordReader<ImmutableBytesWritable, Result> reader = results) {
      reader.initialize(split, context);
      while (reader.nextKeyValue()) {
        file.append(reader.getCurrentValue());
        if (++rows % ROWS_PER_REPORT == 0) {
          progress.update(rows, out.bytes(), reader.getProgress());
        }
      }
    }
  }
}
