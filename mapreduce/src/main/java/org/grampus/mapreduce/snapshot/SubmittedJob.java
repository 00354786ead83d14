package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * A job that is being submitted or has been.
 *
 * @param directory for its staging, which goes with it: the end of a job removes it, and so does a
 *     submission that fails
 * @param isLocal whether it ends with this process, at the latest
 */
record SubmittedJob(Path directory, boolean isLocal) {
  /** The job of a configuration; null where that is not being submitted. */
  static SubmittedJob of(Configuration job) {
    String directory = job.get(MRJobConfig.MAPREDUCE_JOB_DIR);
    return directory == null ? null : new SubmittedJob(new Path(directory), isLocal(job));
  }

  /** Whether a job runs with the local runner, which has no application master. */
  static boolean isLocal(Configuration job) {
    return MRConfig.LOCAL_FRAMEWORK_NAME.equals(job.get(MRConfig.FRAMEWORK_NAME, "local"));
  }

  boolean hasEnded(Configuration conf) throws IOException {
    return !directory.getFileSystem(conf).exists(directory);
  }
}
