import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.grampus.mapreduce.columns.BatchInputFormat;

/** Sums the miles that each carrier flies, batch by batch: {@code MilesByCarrier TABLE DIR}. */
public final class MilesByCarrier extends Configured implements Tool {
  private static final String COLUMNS =
      ":nokey,f:carrier=carrier:string,f:distance=miles:long(text)";

  /** Gives the miles of each carrier in a batch. */
  public static final class MilesMapper
      extends Mapper<NullWritable, VectorSchemaRoot, Text, LongWritable> {
    @Override
    protected void map(NullWritable none, VectorSchemaRoot batch, Context context)
        throws IOException, InterruptedException {
      VarCharVector carriers = (VarCharVector) batch.getVector("carrier");
      BigIntVector miles = (BigIntVector) batch.getVector("miles");
      Map<Text, Long> sums = new HashMap<>();
      for (int row = 0; row < batch.getRowCount(); row++) {
        if (!carriers.isNull(row) && !miles.isNull(row)) {
          sums.merge(new Text(carriers.get(row)), miles.get(row), Long::sum);
        }
      }
      for (Map.Entry<Text, Long> sum : sums.entrySet()) {
        context.write(sum.getKey(), new LongWritable(sum.getValue()));
      }
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    Job job = Job.getInstance(getConf(), "miles by carrier");
    job.setJarByClass(MilesByCarrier.class);
    BatchInputFormat.setTable(job, TableName.valueOf(args[0]), COLUMNS);
    job.setMapperClass(MilesMapper.class);
    job.setCombinerClass(LongSumReducer.class);
    job.setReducerClass(LongSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    FileOutputFormat.setOutputPath(job, new Path(args[1]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(HBaseConfiguration.create(), new MilesByCarrier(), args));
  }
}
