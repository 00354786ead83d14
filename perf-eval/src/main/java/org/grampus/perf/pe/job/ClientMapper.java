package org.grampus.perf.pe.job;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.ClientRun;
import org.grampus.perf.pe.client.Connections;
import org.grampus.perf.pe.client.Start;
import org.grampus.perf.pe.measure.SystemClock;
import org.grampus.perf.pe.option.Trait;
import org.grampus.perf.pe.report.StockLines;
import org.grampus.perf.pe.work.TestClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client in a map task. Its output is its number and milliseconds. HBase's class writes the first
 * row in the place of the number, which several clients can share: their times were added up.
 */
public final class ClientMapper extends Mapper<LongWritable, Text, LongWritable, LongWritable> {
  private static final Logger LOG =
      LoggerFactory.getLogger("org.apache.hadoop.hbase.PerformanceEvaluation");

  /** For the framework. */
  public ClientMapper() {}

  @Override
  protected void map(LongWritable offset, Text line, Context context)
      throws IOException, InterruptedException {
    refuseRepetition(context);
    TestClient.Task task = JobTask.parse(line.toString()).task();
    TaskStatus status = new TaskStatus(context, LOG);
    StockLines lines = new StockLines(task.options(), status::say);
    lines.begins(task.share());
    ClientResult result = run(task, context, status);
    lines.ended(result);
    TaskResult.leave(context, result);
    context.write(new LongWritable(result.client()), new LongWritable(result.times().millis()));
  }

  /** A task whose node is lost, or that was killed, is begun again whatever the job says. */
  private static void refuseRepetition(Context context) throws IOException {
    if (context.getTaskAttemptID().getId() > 0) {
      throw new IOException(
          "a client does not run twice: "
              + context.getTaskAttemptID()
              + " would do and count again what an attempt before it has done");
    }
  }

  private static ClientResult run(TestClient.Task task, Context context, TaskStatus status)
      throws IOException, InterruptedException {
    boolean async = task.options().command().is(Trait.ASYNC);
    Configuration job = context.getConfiguration();
    try (Heartbeat heartbeat = new Heartbeat(context)) {
      heartbeat.begin();
      try (Connections connections = Connections.open(HBaseConfiguration.create(job), 1, async)) {
        return new ClientRun(task, connections.of(0), new SystemClock(), status).run(Start.AT_ONCE);
      }
    }
  }
}
