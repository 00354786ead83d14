package org.grampus.mapreduce.download;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.files.PartReport;
import org.grampus.mapreduce.files.StreamSink;
import org.grampus.mapreduce.keys.HBaseKeys;

/** Writes one part of a download to a file. One thread. */
final class PartWriter {
  private final TaskAttemptContext context;
  private final DownloadRequest request;
  private final PartProgress progress;

  PartWriter(TaskAttemptContext context, DownloadRequest request, PartProgress progress) {
    this.context = context;
    this.request = request;
    this.progress = progress;
  }

  /** Writes the file, which is complete and durable when this returns. */
  PartReport write(FileSystem fs, Path path) throws IOException, InterruptedException {
    try (CountedOutput out = CountedOutput.create(fs, path)) {
      PartRows part = new PartRows(context, progress, out::bytes);
      long rows =
          request.format() == FileFormat.SEQ ? writeRows(part, out) : writeColumns(part, out);
      PartReport report = out.report(path, rows);
      progress.update(report.rows(), report.bytes(), 1);
      return report;
    }
  }

  private long writeRows(PartRows rows, CountedOutput out)
      throws IOException, InterruptedException {
    try (PartFile file =
        new SeqPartFile(
            context.getConfiguration(), new FSDataOutputStream(out, null), request.codec())) {
      rows.append(file);
      return file.finish();
    }
  }

  private long writeColumns(PartRows rows, CountedOutput out)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    boolean ascend = !TableName.isMetaTableName(request.table()); // which has an order of its own
    String snapshot = conf.get(HBaseKeys.SNAPSHOT_NAME);
    try (ColumnsPartFile file =
        new ColumnsPartFile(
            request.tableFile(progress.part().number(), snapshot, ascend), new StreamSink(out))) {
      rows.writeColumns(file);
      return file.finish();
    }
  }
}
