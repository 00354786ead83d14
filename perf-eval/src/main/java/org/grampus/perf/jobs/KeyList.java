package org.grampus.perf.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.grampus.mapreduce.input.JobJars;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.TableInputFormat;

/**
 * A job that lists the row keys of a table: {@code table|snapshot TABLE DIR}. Its mappers are slow,
 * and each attempt that is within its rows leaves a file of its name in the directory DIR.marks.
 */
public final class KeyList extends Configured implements Tool {
  private static final String MARKS_KEY = "grampus.perf.marks";
  private static final int ROWS_BEFORE_MARK = 100;
  private static final long ROW_MILLIS = 3;

  /** Writes a key every few milliseconds. */
  public static final class SlowMapper extends TableMapper<Text, NullWritable> {
    private int rows;

    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      context.write(new Text(key.copyBytes()), NullWritable.get());
      rows++;
      if (rows == ROWS_BEFORE_MARK) {
        Path marks = new Path(context.getConfiguration().get(MARKS_KEY));
        FileSystem fs = marks.getFileSystem(context.getConfiguration());
        fs.create(new Path(marks, context.getTaskAttemptID().toString())).close();
      }
      Thread.sleep(ROW_MILLIS);
    }
  }

  /** Where attempts leave their names. */
  static Path marks(Path output) {
    return output.suffix(".marks");
  }

  @Override
  public int run(String[] args) throws Exception {
    Job job = Job.getInstance(getConf(), "key list");
    job.setJarByClass(KeyList.class);
    if (args[0].equals("snapshot")) {
      read(job, args[1], SnapshotInputFormat.class);
      SnapshotInputFormat.setTable(job, TableName.valueOf(args[1]));
    } else {
      read(job, args[1], TableInputFormat.class);
      JobJars.add(job.getConfiguration());
    }
    job.setNumReduceTasks(0);
    Path output = new Path(args[2]);
    FileOutputFormat.setOutputPath(job, output);
    job.getConfiguration().set(MARKS_KEY, marks(output).toString());
    return job.waitForCompletion(true) ? 0 : 1;
  }

  private static void read(Job job, String table, Class<? extends InputFormat<?, ?>> format)
      throws IOException {
    TableMapReduceUtil.initTableMapperJob(
        table,
        new Scan().setFilter(new FirstKeyOnlyFilter()),
        SlowMapper.class,
        Text.class,
        NullWritable.class,
        job,
        true,
        format.asSubclass(InputFormat.class));
  }

  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(HBaseConfiguration.create(), new KeyList(), args));
  }
}
