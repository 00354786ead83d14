package org.grampus.mapreduce.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Test;

/** Which interval a job has when it is submitted, beside the one of Hadoop's own file. */
class EndPollsTest {
  private static final String KEY = Job.COMPLETION_POLL_INTERVAL_KEY;
  private static final int HADOOPS_MILLIS = 5000;

  private static int effective(Configuration command) throws IOException {
    Job job = Job.getInstance(command);
    assertEquals(
        command.getInt(KEY, 0), Job.getCompletionPollInterval(job.getConfiguration()), "before");
    EndPolls.configure(job.getConfiguration());
    return Job.getCompletionPollInterval(job.getConfiguration());
  }

  @Test
  void hadoopsOwnIntervalIsNotTaken() throws IOException {
    Configuration local = JobConfiguration.of(Map.of(), false);
    assertEquals(HADOOPS_MILLIS, local.getInt(KEY, 0));
    assertEquals(50, effective(local));
    assertEquals(
        500, effective(JobConfiguration.of(Map.of("mapreduce.framework.name", "yarn"), true)));
  }

  @Test
  void theUsersIntervalIsTaken() throws IOException {
    assertEquals(700, effective(JobConfiguration.of(Map.of(KEY, "700"), false)));
    String asHadoops = String.valueOf(HADOOPS_MILLIS);
    assertEquals(HADOOPS_MILLIS, effective(JobConfiguration.of(Map.of(KEY, asHadoops), false)));
  }

  @Test
  void theSitesIntervalIsTaken() throws IOException {
    String site =
        "<configuration><property><name>"
            + KEY
            + "</name><value>900</value></property>"
            + "</configuration>";
    Configuration command = JobConfiguration.of(Map.of(), false);
    command.addResource(
        new ByteArrayInputStream(site.getBytes(StandardCharsets.UTF_8)), "mapred-site.xml");
    assertEquals(900, effective(command));
  }
}
