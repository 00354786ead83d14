package org.grampus.mapreduce.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.junit.jupiter.api.Test;

/** A job whose cluster does not answer any more. */
class JobRunTest {
  /** Submitted, and never heard of again. */
  @SuppressWarnings("deprecation") // so are a job's constructors
  private static final class SilentJob extends Job {
    private final boolean canBeKilled;
    private int kills;

    SilentJob(boolean canBeKilled) throws IOException {
      super(new Configuration(false));
      this.canBeKilled = canBeKilled;
    }

    @Override
    public JobID getJobID() {
      return new JobID("silent", 1);
    }

    @Override
    public void submit() {}

    @Override
    public boolean waitForCompletion(boolean verbose) throws IOException, InterruptedException {
      Thread.sleep(1); // fails where its thread is interrupted
      throw new IOException("no answer");
    }

    @Override
    public boolean isComplete() {
      return false;
    }

    @Override
    public Counters getCounters() {
      return null;
    }

    @Override
    public void killJob() throws IOException {
      kills++;
      if (!canBeKilled) {
        throw new IOException("no answer, still");
      }
    }
  }

  private static String failure(Job job) {
    IOException failure =
        assertThrows(IOException.class, () -> JobRun.run(job, null, (counters, seconds) -> ""));
    assertEquals("no answer", failure.getCause().getMessage());
    return failure.getMessage();
  }

  @Test
  void isKilled() throws IOException {
    SilentJob job = new SilentJob(true);
    assertTrue(failure(job).startsWith("a kill was sent to job job_silent_0001"));
    assertEquals(1, job.kills);
  }

  @Test
  void isKilledWhenItsThreadIsInterrupted() throws IOException {
    SilentJob job = new SilentJob(true);
    Thread.currentThread().interrupt();
    assertThrows(
        InterruptedException.class, () -> JobRun.run(job, null, (counters, seconds) -> ""));
    assertEquals(1, job.kills);
  }

  @Test
  void orTheCommandSaysThatItMayGoOn() throws IOException {
    String said = failure(new SilentJob(false));
    assertTrue(said.contains("job_silent_0001"), said);
    assertTrue(said.contains("could not be killed: look whether it still runs"), said);
  }
}
