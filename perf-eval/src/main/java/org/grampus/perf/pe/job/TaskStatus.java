package org.grampus.perf.pe.job;

import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.perf.pe.client.Status;
import org.slf4j.Logger;

/** Says what a client says in its task. */
final class TaskStatus implements Status {
  private final TaskAttemptContext context;
  private final Logger log;

  TaskStatus(TaskAttemptContext context, Logger log) {
    this.context = context;
    this.log = log;
  }

  @Override
  public void say(String line) {
    log.info(line);
    context.setStatus(line);
  }
}
