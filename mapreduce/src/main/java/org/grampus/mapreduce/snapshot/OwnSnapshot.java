package org.grampus.mapreduce.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.grampus.mapreduce.keys.JobKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snapshot of a live table that a job takes for itself. It goes away when it is closed, or when
 * this process ends, or after the end of the job that it was handed over to; and whatever happens,
 * the master removes it when its time to live is over. Any thread.
 */
public final class OwnSnapshot implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnSnapshot.class);

  /** Longer than any job runs. */
  private static final long TTL_SECONDS = TimeUnit.DAYS.toSeconds(7);

  /** How long the end of the process waits for a snapshot that is being taken. */
  private static final int TAKING_SECONDS = 20;

  /** How long a removal waits for a master; then the time to live ends the snapshot. */
  static final int REMOVAL_SECONDS = 10;

  /** How often an application master tries to remove it. */
  private static final int REMOVALS = 5;

  /** The framework asks for an address although a notifier of our own does not use it. */
  private static final String NO_URL = "http://localhost/";

  private final Configuration conf;
  private final String name;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /** Whether {@link #closeIfNeedless} has tried to. */
  private final AtomicBoolean isTried = new AtomicBoolean();

  /** Down once the master has completed it, or it has failed. */
  private final CountDownLatch taken = new CountDownLatch(1);

  /** Whether it is not known if there is one. */
  private volatile boolean hasFailed;

  /** The job that it was handed over to; null when there is none. */
  private volatile SubmittedJob reader;

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
   * Takes a snapshot, with what is in memory only. Before that it closes those of this process that
   * no job needs any more.
   *
   * @param job part of the name; differs in every run
   * @throws SnapshotExistsException when there is one of that name, which a killed run may have
   *     left; it stays
   */
  public static OwnSnapshot take(Configuration conf, TableName table, String job)
      throws IOException {
    OpenSnapshots.ofProcess().closeNeedless();
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
    OpenSnapshots.ofProcess().add(this); // now, since the process may end while it is taken
    try {
      admin.snapshot(new SnapshotDescription(name, table, SnapshotType.FLUSH, Map.of("TTL", ttl)));
    } catch (SnapshotExistsException e) {
      forget(); // another process was faster
      throw e;
    } catch (IOException | RuntimeException e) {
      removeAfter(e);
      throw e;
    } finally {
      taken.countDown();
    }
    LOG.info("took snapshot {} of {}, which lives for {} s at most", name, table, ttl);
  }

  /**
   * The client may have given up on a snapshot that the master has taken all the same, or is still
   * taking: the next one that is taken, or the end of the process, looks once more.
   */
  private void removeAfter(Exception failure) {
    hasFailed = true;
    try {
      remove(conf, name);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void forget() {
    open.set(false);
    OpenSnapshots.ofProcess().remove(this);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /**
   * Leaves the removal to the end of a job. On a cluster its application master tells {@link
   * SnapshotRemoval}: whether the job succeeds, fails or is killed, whatever output committer it
   * has, and whether or not this process waits for it. Where that tells nothing the snapshot goes
   * when this process takes another one after the job's end, or ends. Must be called before the
   * job's configuration is written.
   *
   * @return false where no end is told: the job has no application master (the local runner ends
   *     with this process), has a listener of its own, or is not being submitted. The snapshot of a
   *     job with another listener outlives this process while the job runs, and then goes when its
   *     time to live is over
   */
  public boolean handOver(Configuration job) {
    reader = SubmittedJob.of(job);
    return reader != null && removeAtEndOf(job);
  }

  /**
   * Lets the end of a job on a cluster remove the snapshot as well, as in {@link #handOver}, for a
   * process that closes it after the job and may be killed before. Must be called before the job's
   * configuration is written.
   *
   * @return false where no process tells of the end
   */
  public boolean removeAtEndOf(Configuration job) {
    if (SubmittedJob.isLocal(job) || hasOtherListener(job)) {
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

  /**
   * Removes the snapshot, once, unless it was handed over to a job that still runs; one that is
   * gone already is no error.
   *
   * @throws IOException when it stays: until the end of the process, which tries again, or, where
   *     no master answers in time, until its time to live is over
   */
  @Override
  public void close() throws IOException {
    if (!open.get()) {
      return;
    }
    try {
      if (!isOfAnotherProcess()) {
        remove(conf, name);
      }
    } catch (SocketTimeoutException e) {
      forget(); // the end of the process would wait once more
      throw e;
    }
    forget();
  }

  private boolean isOfAnotherProcess() throws IOException {
    SubmittedJob job = reader;
    return job != null && !job.isLocal() && !job.hasEnded(conf);
  }

  /**
   * Closes it if its job has ended, or it was not taken. What fails is a warning, and is left to
   * the end of the process: servers that are gone would hold up each further job.
   */
  void closeIfNeedless() {
    try {
      if (isNeedless() && isTried.compareAndSet(false, true)) {
        close();
      }
    } catch (IOException e) {
      LOG.warn("snapshot {} stays until this process ends, or its time to live", name, e);
    }
  }

  private boolean isNeedless() throws IOException {
    SubmittedJob job = reader;
    return hasFailed || (job != null && job.hasEnded(conf));
  }

  /** A master knows no snapshot that it has not completed, so that one cannot be removed before. */
  void closeAtExit() {
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

  /**
   * Removes a snapshot, if it is there. The client's own patience with a master that is away is
   * minutes, and longer where ZooKeeper is away too.
   *
   * @throws SocketTimeoutException when no master has answered in time
   */
  static void remove(Configuration conf, String name) throws IOException {
    FutureTask<Void> removal =
        new FutureTask<>(
            () -> {
              delete(conf, name);
              return null;
            });
    Thread remover = new Thread(removal, "remove-" + name);
    remover.setDaemon(true);
    remover.start();
    try {
      removal.get(REMOVAL_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      removal.cancel(true);
      throw new SocketTimeoutException(
          "no master has removed snapshot "
              + name
              + " within "
              + REMOVAL_SECONDS
              + " s; it goes when its time to live is over, or delete it in the shell");
    } catch (InterruptedException e) {
      removal.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before snapshot " + name + " was removed");
    } catch (ExecutionException e) {
      throw new IOException(
          e.getCause().getMessage() == null ? "" + e.getCause() : e.getCause().getMessage(),
          e.getCause());
    }
  }

  private static void delete(Configuration conf, String name) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(new Configuration(conf));
        Admin admin = connection.getAdmin()) {
      admin.deleteSnapshot(name);
      LOG.info("removed snapshot {}", name);
    } catch (SnapshotDoesNotExistException e) {
      LOG.info("there is no snapshot {} to remove", name);
    }
  }
}
