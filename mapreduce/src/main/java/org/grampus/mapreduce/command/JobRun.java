package org.grampus.mapreduce.command;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the job of a command, and shows on standard error how far it is. */
public final class JobRun {
  /** What a command wants to know of its job while it runs. */
  public interface Watch {
    /**
     * What is shown behind the bar.
     *
     * @param seconds since the job was begun, above 0
     */
    String shown(Counters counters, double seconds);

    /** Whether the job cannot succeed any more, so that it is killed. */
    default boolean isLost(Counters counters) {
      return false;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

  private static final long POLL_MILLIS = 500;
  private static final int PARTS_PER_WHOLE = 1000;

  /** How long the end of the process waits for a submission. */
  private static final int SUBMISSION_SECONDS = 10;

  /** Before a snapshot of the command's own is removed, and file systems are closed. */
  private static final int HOOK_PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 2;

  private final Job job;
  private final Watch watch;

  /** Null when nothing is shown. */
  private final ProgressBar bar;

  private JobRun(Job job, Watch watch, ProgressBar bar) {
    this.job = job;
    this.watch = watch;
    this.bar = bar;
  }

  /**
   * Runs a job to its end. One that this process leaves behind is killed: when the process ends
   * before the job, and when it cannot be known how far the job is.
   *
   * @param name of the command, which a bar on standard error begins with; null shows none
   * @return whether the job has succeeded
   * @throws IOException also when the job may go on, which the message says
   */
  public static boolean run(Job job, String name, Watch watch)
      throws IOException, InterruptedException {
    CompletableFuture<Boolean> submitted = new CompletableFuture<>();
    Runnable hook = () -> killAtExit(job, submitted);
    EndPolls.configure(job.getConfiguration());
    // Before the submission, in whose middle the process may end.
    ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
    try {
      submit(job, submitted);
      try (ProgressBar bar = name == null ? null : bar(name)) {
        return new JobRun(job, watch, bar).watched();
      } catch (IOException | RuntimeException e) {
        throw killed(job, e);
      } catch (InterruptedException e) {
        kill(job);
        throw e;
      }
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is missing", e);
    } finally {
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }

  private static void submit(Job job, CompletableFuture<Boolean> submitted)
      throws IOException, InterruptedException, ClassNotFoundException {
    boolean runs = false;
    try {
      job.submit();
      runs = true;
    } finally {
      if (!submitted.complete(runs) && runs) {
        kill(job); // the end of the process has not waited for it
      }
    }
  }

  /** Kills a job of which the cluster has not said how far it is. */
  private static IOException killed(Job job, Exception failure) {
    try {
      job.killJob();
      return new IOException(
          "a kill was sent to job " + job.getJobID() + ", of which it is not known how far it is",
          failure);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return new IOException(
          "it is not known how far the job "
              + job.getJobID()
              + " is, and it could not be killed: look whether it still runs",
          failure);
    }
  }

  private static ProgressBar bar(String name) {
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setInitialMax(PARTS_PER_WHOLE)
        .setStyle(ProgressBarStyle.ASCII)
        .build();
  }

  /** The thread that submits goes on while the process ends, and a local job ends with it. */
  private static void killAtExit(Job job, CompletableFuture<Boolean> submitted) {
    boolean runs =
        JobConfiguration.isLocal(job.getConfiguration())
            ? submitted.getNow(false)
            : submitted.completeOnTimeout(false, SUBMISSION_SECONDS, TimeUnit.SECONDS).join();
    if (runs) {
      kill(job);
    }
  }

  /** A job on a cluster would go on without what its command keeps for it. */
  private static void kill(Job job) {
    try {
      if (!job.isComplete()) {
        job.killJob();
      }
    } catch (IOException e) {
      LOG.warn("cannot kill {}", job.getJobID(), e);
    }
  }

  private boolean watched() throws IOException, InterruptedException, ClassNotFoundException {
    ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor();
    try {
      Future<?> polling =
          poller.scheduleWithFixedDelay(
              this::poll, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
      boolean succeeded = job.waitForCompletion(false);
      polling.cancel(false);
      poll();
      return succeeded;
    } finally {
      poller.shutdown();
      poller.awaitTermination(POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void poll() {
    try {
      Counters counters = job.getCounters();
      if (bar != null) {
        show(counters);
      }
      if (counters != null && watch.isLost(counters)) {
        kill(job);
      }
    } catch (IOException e) {
      LOG.debug("the progress of {} is not known", job.getJobID(), e); // the next poll may see it
    }
  }

  private void show(Counters counters) throws IOException {
    float maps = job.mapProgress();
    float done = job.getNumReduceTasks() == 0 ? maps : (maps + job.reduceProgress()) / 2;
    bar.stepTo((long) (done * PARTS_PER_WHOLE));
    if (counters != null) {
      double seconds = Math.max(bar.getTotalElapsed().toMillis(), 1) / 1000.0;
      bar.setExtraMessage(watch.shown(counters, seconds));
    }
  }
}
