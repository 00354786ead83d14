package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.Locale;
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

/** Runs a download, and shows on standard error how far it is. */
final class DownloadProgress {
  private static final Logger LOG = LoggerFactory.getLogger(DownloadProgress.class);

  private static final long LOOK_MILLIS = 500;
  private static final int PARTS_PER_WHOLE = 1000;
  private static final double MIB = 1 << 20;

  /** Before a snapshot of the command's own is removed, and file systems are closed. */
  private static final int HOOK_PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 2;

  private DownloadProgress() {}

  /** Runs a job to its end; whether it has succeeded. */
  static boolean run(Job job, boolean shown) throws IOException, InterruptedException {
    Runnable hook = () -> kill(job);
    try {
      job.submit();
      ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
      return shown ? showing(job) : job.waitForCompletion(false);
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is missing", e);
    } finally {
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }

  /** A job on a cluster would go on without its snapshot, and beside the next run. */
  private static void kill(Job job) {
    try {
      if (!job.isComplete()) {
        job.killJob();
      }
    } catch (IOException e) {
      LOG.warn("cannot kill {}", job.getJobID(), e);
    }
  }

  private static boolean showing(Job job)
      throws IOException, InterruptedException, ClassNotFoundException {
    ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();
    try (ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName("download")
            .setInitialMax(PARTS_PER_WHOLE)
            .setStyle(ProgressBarStyle.ASCII)
            .build()) {
      Future<?> shown =
          looks.scheduleWithFixedDelay(
              () -> show(job, bar), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      boolean succeeded = job.waitForCompletion(false);
      shown.cancel(false);
      show(job, bar);
      return succeeded;
    } finally {
      looks.shutdown();
      looks.awaitTermination(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private static synchronized void show(Job job, ProgressBar bar) {
    try {
      bar.stepTo((long) (job.mapProgress() * PARTS_PER_WHOLE));
      Counters counters = job.getCounters();
      if (counters != null) {
        bar.setExtraMessage(written(counters, bar.getTotalElapsed().toMillis() / 1000.0));
      }
    } catch (IOException e) {
      LOG.debug("the progress of {} is not known", job.getJobID(), e); // the next look may see it
    }
  }

  private static String written(Counters counters, double seconds) {
    long rows = counters.findCounter(DownloadMapper.COUNTERS, DownloadMapper.ROWS).getValue();
    long bytes = counters.findCounter(DownloadMapper.COUNTERS, DownloadMapper.BYTES).getValue();
    return String.format(
        Locale.ROOT,
        " %,d rows, %,.0f MiB, %,.0f rows/s",
        rows,
        bytes / MIB,
        rows / Math.max(seconds, 1e-3));
  }
}
