package org.grampus.perf.pe.job;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.JobID;

/** How jobs end. */
final class JobEnd {
  private JobEnd() {}

  /**
   * Runs a job to its end.
   *
   * @return sentences about what has failed: the job, or tasks of it; empty when all is well
   * @throws IOException when it cannot be submitted, or when it is unknown how it has ended
   */
  static List<String> of(Job job) throws IOException, InterruptedException {
    try {
      if (!job.waitForCompletion(true)) {
        return List.of(
            "the job " + job.getJobID() + " has failed: " + job.getStatus().getFailureInfo());
      }
    } catch (ClassNotFoundException e) {
      throw new IOException("the job cannot be submitted", e);
    }
    return failedTasks(job.getJobID(), job.getCounters());
  }

  /** A job ends well though tasks of it have failed. */
  static List<String> failedTasks(JobID job, Counters counters) {
    if (counters == null) {
      return List.of("the job " + job + " has no counters, which say whether tasks have failed");
    }
    long failed = counters.findCounter(JobCounter.NUM_FAILED_MAPS).getValue();
    return failed == 0
        ? List.of()
        : List.of(failed + " tasks of the job " + job + " have failed; their logs say why");
  }
}
