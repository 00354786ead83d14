package org.grampus.mapreduce.columns;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.util.Time;
import org.grampus.mapreduce.input.SnapshotSplits;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.snapshot.OwnSnapshot;
import org.grampus.mapreduce.snapshot.Snapshot;

/**
 * The snapshot that a program reads: one that its user names, or one that it takes for itself,
 * which goes when this is closed. Any thread.
 */
public final class ReadSnapshot implements Closeable {
  private final Snapshot snapshot;

  /** Null for one that the user names. */
  private final OwnSnapshot own;

  private final Consumer<String> warnings;

  private ReadSnapshot(Snapshot snapshot, OwnSnapshot own, Consumer<String> warnings) {
    this.snapshot = snapshot;
    this.own = own;
    this.warnings = warnings;
  }

  /**
   * Opens it, and makes it what the job of a configuration reads.
   *
   * @param named by the user, or null
   * @param reader whose name becomes part of the snapshot's that is taken
   * @param warnings is told a sentence when a snapshot that was taken cannot be removed, which
   *     decides nothing about what was read
   * @throws IOException when there is none, it is of another table, or none can be taken
   */
  public static ReadSnapshot open(
      Configuration conf, TableName table, String named, String reader, Consumer<String> warnings)
      throws IOException {
    if (named != null) {
      return new ReadSnapshot(opened(conf, table, named), null, warnings);
    }
    String run = reader + "-" + ProcessHandle.current().pid() + "-" + Time.now();
    OwnSnapshot own = OwnSnapshot.take(conf, table, run);
    try {
      Snapshot taken = opened(conf, table, own.name());
      conf.set(JobKeys.SNAPSHOT_OWN, own.name());
      return new ReadSnapshot(taken, own, warnings);
    } catch (IOException | RuntimeException e) {
      remove(own, warnings);
      throw e;
    }
  }

  private static Snapshot opened(Configuration conf, TableName table, String name)
      throws IOException {
    Snapshot opened = Snapshot.open(conf, name);
    if (!opened.table().getTableName().equals(table)) {
      throw new IOException(
          "snapshot " + name + " is of " + opened.table().getTableName() + ", not " + table);
    }
    SnapshotSplits.setSnapshot(conf, name);
    return opened;
  }

  /** Its regions and files. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /**
   * Lets a job on a cluster remove a snapshot of the command's own, should this process be gone.
   */
  public void removeAtEndOf(Configuration job) {
    if (own != null) {
      own.removeAtEndOf(job);
    }
  }

  @Override
  public void close() {
    if (own != null) {
      remove(own, warnings);
    }
  }

  private static void remove(OwnSnapshot own, Consumer<String> warnings) {
    try {
      own.close();
    } catch (IOException e) {
      String why = e.getMessage() == null ? e.toString() : e.getMessage();
      warnings.accept(
          "snapshot " + own.name() + " stays for now: " + why.lines().findFirst().orElse(why));
    }
  }
}
