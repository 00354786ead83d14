package org.grampus.mapreduce.command;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/** How often a command asks whether its job has ended. */
final class EndPolls {
  /** Hadoop's own file has a value for the key, which {@code setIfUnset} takes for a user's. */
  private static final String HADOOPS_DEFAULTS = "mapred-default.xml";

  /** The local runner is in this process and answers at once. */
  private static final int LOCAL_MILLIS = 50;

  /** A cluster answers by calls. */
  private static final int CLUSTER_MILLIS = 500;

  private EndPolls() {}

  /**
   * Sets the interval, unless the site or the user has set it. Hadoop's own is 5 s, and a command
   * of two seconds would end after five. Must be called before the job is submitted.
   */
  static void configure(Configuration job) {
    if (isHadoops(job)) {
      int millis = JobConfiguration.isLocal(job) ? LOCAL_MILLIS : CLUSTER_MILLIS;
      job.setInt(Job.COMPLETION_POLL_INTERVAL_KEY, millis);
    }
  }

  /** The last file or call that has set a key is its source. */
  private static boolean isHadoops(Configuration job) {
    String[] sources = job.getPropertySources(Job.COMPLETION_POLL_INTERVAL_KEY);
    return job.get(Job.COMPLETION_POLL_INTERVAL_KEY) == null
        || (sources != null && List.of(sources).equals(List.of(HADOOPS_DEFAULTS)));
  }
}
