package org.grampus.perf.pe.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.JobID;
import org.junit.jupiter.api.Test;

final class JobEndTest {
  private static final JobID JOB = new JobID("x", 1);

  @Test
  void tasksThatFailedAreAnErrorOfAJobThatEndedWell() {
    Counters counters = new Counters();
    assertEquals(List.of(), JobEnd.failedTasks(JOB, counters));

    counters.findCounter(JobCounter.NUM_FAILED_MAPS).increment(2);

    assertEquals(
        List.of("2 tasks of the job job_x_0001 have failed; their logs say why"),
        JobEnd.failedTasks(JOB, counters));
  }

  @Test
  void aJobWithoutCountersIsAnError() {
    assertEquals(1, JobEnd.failedTasks(JOB, null).size());
  }
}
