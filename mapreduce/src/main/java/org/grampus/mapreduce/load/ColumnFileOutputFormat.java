package org.grampus.mapreduce.load;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;

/**
 * Writes column files of sorted cells, one directory per family, as HBase's HFileOutputFormat2
 * writes HFiles. {@link BulkLoadJob} configures it.
 */
public final class ColumnFileOutputFormat extends FileOutputFormat<ImmutableBytesWritable, Cell> {
  @Override
  public RecordWriter<ImmutableBytesWritable, Cell> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    return new ColumnFileRecordWriter(context, workPath(context));
  }

  private Path workPath(TaskAttemptContext context) throws IOException {
    OutputCommitter committer = getOutputCommitter(context);
    if (committer instanceof PathOutputCommitter paths) {
      return paths.getWorkPath();
    }
    throw new IOException(committer.getClass().getName() + " says no directory to write to");
  }
}
