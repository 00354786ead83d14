package org.grampus.mapreduce.server;

import java.io.IOException;
import java.util.Queue;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;

/** What the mappers of a local job have seen, as text. */
final class Collected {
  static final String RUN_KEY = "test.run";

  private static final ConcurrentHashMap<String, Queue<String>> RUNS = new ConcurrentHashMap<>();

  private static final ConcurrentHashMap<String, Work> WORK = new ConcurrentHashMap<>();

  /** What a mapper does with a row beside collecting it. */
  @FunctionalInterface
  interface Work {
    void of(Result row) throws IOException, InterruptedException;
  }

  private Collected() {}

  static void work(String run, Work work) {
    WORK.put(run, work);
  }

  static Queue<String> of(String run) {
    return RUNS.computeIfAbsent(run, name -> new ConcurrentLinkedQueue<>());
  }

  /** {@code row/family:qualifier@timestamp=value} for each cell. */
  static String show(Result result) {
    StringJoiner text = new StringJoiner(" ");
    for (Cell cell : result.rawCells()) {
      text.add(
          Bytes.toStringBinary(CellUtil.cloneRow(cell))
              + "/"
              + Bytes.toString(CellUtil.cloneFamily(cell))
              + ":"
              + Bytes.toString(CellUtil.cloneQualifier(cell))
              + "@"
              + cell.getTimestamp()
              + "!"
              + cell.getType()
              + "="
              + Bytes.toString(CellUtil.cloneValue(cell)));
    }
    return text.toString();
  }

  /** Collects for the new API. */
  static final class NewMapper extends TableMapper<NullWritable, NullWritable> {
    @Override
    protected void map(ImmutableBytesWritable key, Result value, Context context)
        throws IOException, InterruptedException {
      require(key, value);
      String run = context.getConfiguration().get(RUN_KEY);
      of(run).add(show(value));
      Work work = WORK.get(run);
      if (work != null) {
        work.of(value);
      }
    }
  }

  /** Collects for the old API. */
  static final class OldMapper extends MapReduceBase
      implements org.apache.hadoop.mapred.Mapper<
          ImmutableBytesWritable, Result, NullWritable, NullWritable> {
    private String run;

    @Override
    public void configure(JobConf job) {
      run = job.get(RUN_KEY);
    }

    @Override
    public void map(
        ImmutableBytesWritable key,
        Result value,
        OutputCollector<NullWritable, NullWritable> output,
        Reporter reporter)
        throws IOException {
      require(key, value);
      of(run).add(show(value));
    }
  }

  private static void require(ImmutableBytesWritable key, Result value) throws IOException {
    if (!Bytes.equals(key.get(), value.getRow())) {
      throw new IOException("the key is not the row: " + key + ", " + value);
    }
  }
}
