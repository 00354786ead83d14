package org.grampus.mapreduce.server;

import java.io.IOException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.grampus.mapreduce.input.SnapshotInputFormat;

/** A user's program whose job reads a snapshot of its own: {@code TABLE END}. */
public final class OwnSnapshotProgram extends Configured implements Tool {
  /** What the mapper does with its first row. */
  enum End {
    /** Nothing: the job succeeds. */
    SUCCESS,
    /** It fails, and the job with it. */
    FAILURE,
    /** It waits until the process is ended. */
    NEVER
  }

  /** What the program prints once a mapper has a row. */
  static final String READS = "a mapper reads";

  private static final String END_KEY = "test.end";

  /** Comes to its end or not. */
  public static final class EndingMapper extends TableMapper<NullWritable, NullWritable> {
    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      System.out.println(READS);
      switch (context.getConfiguration().getEnum(END_KEY, End.SUCCESS)) {
        case SUCCESS -> {}
        case FAILURE -> throw new IOException("as it was told");
        case NEVER -> Thread.sleep(Long.MAX_VALUE);
      }
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    Job job = Job.getInstance(getConf());
    SnapshotInputFormat.setTable(job, TableName.valueOf(args[0]));
    job.getConfiguration().setEnum(END_KEY, End.valueOf(args[1]));
    job.setInputFormatClass(SnapshotInputFormat.class);
    job.setMapperClass(EndingMapper.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    return job.waitForCompletion(false) ? 0 : 1;
  }

  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(HBaseConfiguration.create(), new OwnSnapshotProgram(), args));
  }
}
