package org.grampus.mapreduce.download;

import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** The parts of a download, which tasks write themselves. */
public final class DownloadOutputFormat extends OutputFormat<NullWritable, NullWritable> {
  /** For the framework. */
  public DownloadOutputFormat() {}

  @Override
  public RecordWriter<NullWritable, NullWritable> getRecordWriter(TaskAttemptContext context) {
    return new RecordWriter<>() {
      @Override
      public void write(NullWritable key, NullWritable value) {
        throw new UnsupportedOperationException("a download has files and no records");
      }

      @Override
      public void close(TaskAttemptContext closing) {
        // Nothing was opened.
      }
    };
  }

  /** The directory was looked at before the job was submitted, when it could still be said why. */
  @Override
  public void checkOutputSpecs(JobContext context) throws IOException {
    DownloadRequest.of(context.getConfiguration());
  }

  @Override
  public OutputCommitter getOutputCommitter(TaskAttemptContext context) throws IOException {
    return new DownloadCommitter(DownloadRequest.of(context.getConfiguration()));
  }
}
