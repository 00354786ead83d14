package org.grampus.mapreduce.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.ShutdownHookManager;
import org.grampus.mapreduce.keys.JobKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snapshot of a live table that a job takes for itself. It goes away when it is closed, or when
 * this process ends, or when the job ends if it was handed over to it; and whatever happens, the
 * master removes it when its time to live is over. Any thread.
 */
public final class OwnSnapshot implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnSnapshot.class);

  /** Longer than any job runs. */
  private static final long TTL_SECONDS = TimeUnit.DAYS.toSeconds(7);

  private static final int HOOK_SECONDS = 30;

  /** How long the end of the process waits for a snapshot that is being taken. */
  private static final int TAKING_SECONDS = 20;

  /** How often an application master tries to remove it. */
  private static final int REMOVALS = 5;

  /** The framework asks for an address although a notifier of our own does not use it. */
  private static final String NO_URL = "http://localhost/";

  private final Configuration conf;
  private final String name;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private final Runnable hook = this::closeAtExit;

  /** Down once the master has completed it, or it has failed. */
  private final CountDownLatch taken = new CountDownLatch(1);

  /** Where the job is that removes the snapshot at its end; null when there is none. */
  private volatile Path jobDirectory;

  private OwnSnapshot(Configuration conf, String name) {
    this.conf = conf;
    this.name = name;
  }

  /**
   * The name of a snapshot.
   *
   * @param job differs in every run
   */
  public static String name(TableName table, String job) {
    return table.getQualifierAsString() + "-" + job;
  }

  /**
   * Takes a snapshot, with what is in memory only.
   *
   * @param job part of the name; differs in every run
   * @throws SnapshotExistsException when there is one of that name, which a killed run may have
   *     left; it stays
   */
  public static OwnSnapshot take(Configuration conf, TableName table, String job)
      throws IOException {
    OwnSnapshot snapshot = new OwnSnapshot(conf, name(table, job));
    snapshot.take(table);
    return snapshot;
  }

  private void take(TableName table) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(new Configuration(conf));
        Admin admin = connection.getAdmin()) {
      // A failure below removes the snapshot by its name, so no other one may have it.
      if (!admin.listSnapshots(Pattern.compile(Pattern.quote(name))).isEmpty()) {
        throw new SnapshotExistsException("there is a snapshot " + name + " already");
      }
      take(admin, table);
    }
  }

  private void take(Admin admin, TableName table) throws IOException {
    long ttl = conf.getLong(JobKeys.SNAPSHOT_TTL, TTL_SECONDS);
    // Before it is taken, since the process may end meanwhile; and before the file systems close at
    // the end, which a connection may need.
    ShutdownHookManager.get()
        .addShutdownHook(
            hook, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1, HOOK_SECONDS, TimeUnit.SECONDS);
    try {
      admin.snapshot(new SnapshotDescription(name, table, SnapshotType.FLUSH, Map.of("TTL", ttl)));
    } catch (SnapshotExistsException e) {
      forget(); // another process was faster
      throw e;
    } catch (IOException e) {
      removeAfter(e);
      throw e;
    } finally {
      taken.countDown();
    }
    LOG.info("took snapshot {} of {}, which lives for {} s at most", name, table, ttl);
  }

  /**
   * The client may have given up on a snapshot that the master has taken all the same, or is still
   * taking: the end of the process looks once more.
   */
  private void removeAfter(IOException failure) {
    try {
      remove(conf, name);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void forget() {
    open.set(false);
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(hook);
    }
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /**
   * Leaves the removal to the end of a job on a cluster, whose application master tells {@link
   * SnapshotRemoval}: whether the job succeeds, fails or is killed, whatever output committer it
   * has, and whether or not this process waits for it. A job that was never submitted has no end to
   * tell of; then the snapshot goes with this process. Must be called before the job's
   * configuration is written.
   *
   * @return false where no end is told: the job has no application master (the local runner ends
   *     with this process), has a listener of its own, or is not being submitted. The snapshot of a
   *     job with another listener outlives this process while the job runs, and then goes when its
   *     time to live is over
   */
  public boolean handOver(Configuration job) {
    String directory = job.get(MRJobConfig.MAPREDUCE_JOB_DIR);
    if (isLocal(job) || directory == null) {
      return false;
    }
    jobDirectory = new Path(directory);
    return removeAtEndOf(job);
  }

  /**
   * Lets the end of a job on a cluster remove the snapshot as well, as in {@link #handOver}, for a
   * process that closes it after the job and may be killed before. Must be called before the job's
   * configuration is written.
   *
   * @return false where no process tells of the end
   */
  public boolean removeAtEndOf(Configuration job) {
    if (isLocal(job) || hasOtherListener(job)) {
      return false;
    }
    job.set(MRJobConfig.MR_JOB_END_NOTIFICATION_URL, NO_URL);
    job.setInt(MRJobConfig.MR_JOB_END_RETRY_ATTEMPTS, REMOVALS);
    job.set(
        MRJobConfig.MR_JOB_END_NOTIFICATION_CUSTOM_NOTIFIER_CLASS, SnapshotRemoval.class.getName());
    job.set(JobKeys.SNAPSHOT_OWN, name);
    return true;
  }

  /** Our own is in the configuration of a job that was made from another one's. */
  private static boolean hasOtherListener(Configuration job) {
    String listener = job.get(MRJobConfig.MR_JOB_END_NOTIFICATION_CUSTOM_NOTIFIER_CLASS);
    return !SnapshotRemoval.class.getName().equals(listener)
        && (listener != null || job.get(MRJobConfig.MR_JOB_END_NOTIFICATION_URL) != null);
  }

  private static boolean isLocal(Configuration job) {
    return MRConfig.LOCAL_FRAMEWORK_NAME.equals(job.get(MRConfig.FRAMEWORK_NAME, "local"));
  }

  /**
   * Removes the snapshot, once, unless it was handed over to a job that still runs; one that is
   * gone already is no error.
   */
  @Override
  public void close() throws IOException {
    if (!open.get()) {
      return;
    }
    if (!isOfAJob()) {
      remove(conf, name); // if it fails, the end of the process tries again
    }
    forget();
  }

  /** A submission that fails removes the job's directory, and so does the end of a job. */
  private boolean isOfAJob() throws IOException {
    Path directory = jobDirectory;
    return directory != null && directory.getFileSystem(conf).exists(directory);
  }

  /** A master knows no snapshot that it has not completed, so that one cannot be removed before. */
  private void closeAtExit() {
    try {
      if (!taken.await(TAKING_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("snapshot {} is still being taken; it may stay for its time to live", name);
      }
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("snapshot {} may stay until its time to live is over", name);
    } catch (IOException e) {
      LOG.warn("snapshot {} stays until its time to live is over", name, e);
    }
  }

  static void remove(Configuration conf, String name) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(new Configuration(conf));
        Admin admin = connection.getAdmin()) {
      admin.deleteSnapshot(name);
      LOG.info("removed snapshot {}", name);
    } catch (SnapshotDoesNotExistException e) {
      LOG.info("there is no snapshot {} to remove", name);
    }
  }
}
