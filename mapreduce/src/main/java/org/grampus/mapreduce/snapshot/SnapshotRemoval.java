package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.net.URL;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.CustomJobEndNotifier;
import org.grampus.mapreduce.keys.JobKeys;

/**
 * Removes a job's own snapshot when the job has ended. The application master makes and calls it,
 * and calls it again a few times where it fails. One that is killed calls nothing.
 */
public final class SnapshotRemoval implements CustomJobEndNotifier {
  /** For the application master. */
  public SnapshotRemoval() {}

  @Override
  public boolean notifyOnce(URL unused, Configuration job) throws IOException {
    String name = job.get(JobKeys.SNAPSHOT_OWN);
    if (name != null) {
      OwnSnapshot.remove(job, name);
    }
    return true;
  }
}
