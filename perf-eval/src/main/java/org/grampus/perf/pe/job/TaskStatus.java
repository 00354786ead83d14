package org.grampus.perf.pe.job;

import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.perf.pe.client.Status;
import org.slf4j.Logger;

/** Says what a client says in its task, which lives as long as requests are answered. */
final class TaskStatus implements Status {
  private static final long PROGRESS_MILLIS = 1000;

  private final TaskAttemptContext context;
  private final Logger log;
  private long saidMillis;

  TaskStatus(TaskAttemptContext context, Logger log) {
    this.context = context;
    this.log = log;
  }

  @Override
  public void say(String line) {
    log.info(line);
    context.setStatus(line);
  }

  @Override
  public void alive(long epochMillis) {
    if (epochMillis - saidMillis >= PROGRESS_MILLIS) {
      saidMillis = epochMillis;
      context.progress();
    }
  }
}
