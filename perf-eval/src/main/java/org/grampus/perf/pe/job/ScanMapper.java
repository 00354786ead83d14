package org.grampus.perf.pe.job;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.grampus.perf.pe.client.Assignment;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.Times;
import org.grampus.perf.pe.measure.Clock;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.measure.SystemClock;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.Share;
import org.grampus.perf.pe.report.StockLines;
import org.grampus.perf.pe.work.Judge;
import org.grampus.perf.pe.work.TestClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of a table or of its files, whatever the input format hands out; an operation is a row.
 */
public final class ScanMapper
    extends Mapper<ImmutableBytesWritable, Result, NullWritable, NullWritable> {
  private static final Logger LOG =
      LoggerFactory.getLogger("org.apache.hadoop.hbase.PerformanceEvaluation");

  /** Where a task finds what it is told. */
  static final String TASK_KEY = "grampus.pe.task";

  private final Clock clock = new SystemClock();
  private final Tally tally = new Tally();
  private Latencies latencies;
  private final Series series = new Series();

  /** For the framework. */
  public ScanMapper() {}

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    TestClient.Task told = JobTask.parse(conf.get(TASK_KEY)).task();
    latencies = new Latencies(told.options().measure().latencyThresholdMillis());
    TaskStatus status = new TaskStatus(context, LOG);
    Judge judge = Judge.of(new TestClient(told, null, tally, clock));
    long begun = clock.nanos();
    String failure = read(context, judge);
    long ended = clock.nanos();
    int number = context.getTaskAttemptID().getTaskID().getId();
    ClientResult result = result(number, begun, ended, failure);
    new StockLines(told.options(), status::say).ended(result);
    TaskResult.leave(context, result);
  }

  /** Reads all rows; returns why it could not, or null. */
  private String read(Context context, Judge judge) throws InterruptedException {
    try (Heartbeat heartbeat = new Heartbeat(context)) {
      heartbeat.begin();
      while (next(context, judge)) {
        // a row was read and judged
      }
      return null;
    } catch (IOException | RuntimeException e) {
      LOG.error("A scan has failed", e);
      return e.toString();
    }
  }

  private boolean next(Context context, Judge judge) throws IOException, InterruptedException {
    long sent = clock.nanos();
    boolean found = context.nextKeyValue();
    if (found) {
      long now = clock.nanos();
      long epochMillis = clock.epochMillis(now);
      long micros = TimeUnit.NANOSECONDS.toMicros(now - sent);
      tally.ask(1);
      tally.answered(1);
      judge.row(context.getCurrentValue());
      latencies.add(micros, micros);
      series.answered(epochMillis, 1);
      series.latency(epochMillis, micros);
    }
    return found;
  }

  private ClientResult result(int number, long begun, long ended, String failure) {
    long rows = tally.operations();
    return new ClientResult(
        new Assignment(number, new Share(0, rows), rows),
        tally.counts(),
        new Times(clock.epochMillis(begun), clock.epochMillis(ended), ended - begun),
        latencies,
        series,
        failure);
  }
}
