package org.grampus.mapreduce.command;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;

/** Why a job has failed, where its tasks could not leave a reason in a file. */
public final class JobFailure {
  /** Of the ends of attempts, which come in their order, the first that failed is among these. */
  private static final int EVENTS_MAX = 10_000;

  /** An attempt that was the last one of its task has a state of its own. */
  private static final Set<TaskCompletionEvent.Status> FAILED =
      EnumSet.of(TaskCompletionEvent.Status.FAILED, TaskCompletionEvent.Status.TIPFAILED);

  private JobFailure() {}

  /** What a cluster says of the first attempt that failed, else of the job. */
  public static String of(Job job) throws InterruptedException {
    try {
      String ofAttempt = ofAttempt(job);
      return ofAttempt == null ? job.getStatus().getFailureInfo() : ofAttempt;
    } catch (IOException e) {
      return "the cluster does not say why: " + Sentence.of(e);
    }
  }

  /** Null when no attempt is known to have failed. */
  private static String ofAttempt(Job job) throws IOException, InterruptedException {
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, EVENTS_MAX)) {
      if (FAILED.contains(event.getStatus())) {
        for (String said : job.getTaskDiagnostics(event.getTaskAttemptId())) {
          return event.getTaskAttemptId() + ": " + said.lines().findFirst().orElse(said);
        }
      }
    }
    return null;
  }
}
