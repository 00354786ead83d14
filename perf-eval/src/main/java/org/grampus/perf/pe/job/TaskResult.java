package org.grampus.perf.pe.job;

import java.io.IOException;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.grampus.perf.pe.client.ClientResult;

/** What a task leaves behind: a file with its result, and counts. */
final class TaskResult {
  private TaskResult() {}

  /**
   * Leaves a result.
   *
   * @throws IOException when it cannot, or when the client has failed: its task fails, too
   */
  static void leave(TaskInputOutputContext<?, ?, ?, ?> context, ClientResult result)
      throws IOException {
    ResultFiles.write(context.getConfiguration(), result);
    context.getCounter(JobCounter.ELAPSED_TIME).increment(result.times().millis());
    context.getCounter(JobCounter.ROWS).increment(result.counts().rows().done());
    if (!result.isWhole()) {
      throw new IOException("client " + result.client() + " has failed: " + result.failure());
    }
  }
}
