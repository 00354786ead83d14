import java.io.IOException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.grampus.mapreduce.input.JobJars;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.TableInputFormat;

/** Counts the flights of each carrier: {@code FlightsByCarrier table|snapshot TABLE DIR}. */
public final class FlightsByCarrier extends Configured implements Tool {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] CARRIER = Bytes.toBytes("carrier");

  /** Gives 1 for each flight. */
  public static final class CarrierMapper extends TableMapper<Text, LongWritable> {
    private static final LongWritable ONE = new LongWritable(1);

    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      context.write(new Text(row.getValue(FAMILY, CARRIER)), ONE);
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    Job job = Job.getInstance(getConf(), "flights by carrier");
    job.setJarByClass(FlightsByCarrier.class);
    if (args[0].equals("snapshot")) {
      readSnapshot(job, args[1]);
    } else {
      readTable(job, args[1]);
    }
    job.setCombinerClass(LongSumReducer.class);
    job.setReducerClass(LongSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    FileOutputFormat.setOutputPath(job, new Path(args[2]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  private static Scan scan() {
    return new Scan().addColumn(FAMILY, CARRIER);
  }

  /** As a job over HBase's format, and with two lines more. */
  private static void readTable(Job job, String table) throws IOException {
    TableMapReduceUtil.initTableMapperJob(
        table, scan(), CarrierMapper.class, Text.class, LongWritable.class, job);
    job.setInputFormatClass(TableInputFormat.class);
    JobJars.add(job.getConfiguration());
  }

  /** Reads files; the snapshot is the job's own. */
  private static void readSnapshot(Job job, String table) throws IOException {
    TableMapReduceUtil.initTableMapperJob(
        table,
        scan(),
        CarrierMapper.class,
        Text.class,
        LongWritable.class,
        job,
        true,
        SnapshotInputFormat.class);
    SnapshotInputFormat.setTable(job, TableName.valueOf(table));
  }

  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(HBaseConfiguration.create(), new FlightsByCarrier(), args));
  }
}
