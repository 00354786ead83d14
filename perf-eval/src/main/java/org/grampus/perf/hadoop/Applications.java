package org.grampus.perf.hadoop;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.grampus.perf.ToolException;

/** The applications of a cluster, as its resource manager knows them. For one thread. */
public final class Applications implements Closeable {
  private static final int EVENTS_MAX = 1000;

  private final Configuration conf;
  private final YarnClient yarn = YarnClient.createYarnClient();

  /** Of the cluster that a client's configuration leads to. */
  public Applications(Configuration conf) {
    this.conf = conf;
    yarn.init(conf);
    yarn.start();
  }

  /** How many have not ended. */
  public int running() throws ToolException, IOException {
    return open().size();
  }

  /** Kills all that have not ended, as {@code yarn application -kill} does. */
  public void killAll() throws ToolException, IOException {
    for (ApplicationReport application : open()) {
      try {
        yarn.killApplication(application.getApplicationId());
      } catch (YarnException e) {
        throw new ToolException("cannot kill " + application.getApplicationId(), e);
      }
    }
  }

  /**
   * Kills all jobs that have not ended, as {@code mapred job -kill} does: application masters end
   * them, which {@link #killAll} kills with their jobs.
   */
  public void killJobs() throws IOException, InterruptedException {
    Cluster cluster = new Cluster(conf);
    try {
      for (JobStatus job : cluster.getAllJobStatuses()) {
        if (!job.isJobComplete()) {
          cluster.getJob(job.getJobID()).killJob();
        }
      }
    } finally {
      cluster.close();
    }
  }

  private List<ApplicationReport> open() throws ToolException, IOException {
    try {
      return yarn.getApplications(
          EnumSet.complementOf(
              EnumSet.of(
                  YarnApplicationState.FINISHED,
                  YarnApplicationState.FAILED,
                  YarnApplicationState.KILLED)));
    } catch (YarnException e) {
      throw new ToolException("the resource manager does not say which applications run", e);
    }
  }

  /** Whether an attempt of a task has failed, of a job that has ended. */
  public boolean hasFailed(String attempt) throws IOException, InterruptedException {
    TaskAttemptID id = TaskAttemptID.forName(attempt);
    Cluster cluster = new Cluster(conf);
    try {
      Job job = cluster.getJob(id.getJobID());
      return Arrays.stream(job.getTaskCompletionEvents(0, EVENTS_MAX))
          .filter(event -> event.getTaskAttemptId().equals(id))
          .anyMatch(event -> event.getStatus() == TaskCompletionEvent.Status.FAILED);
    } finally {
      cluster.close();
    }
  }

  @Override
  public void close() {
    yarn.stop();
  }
}
