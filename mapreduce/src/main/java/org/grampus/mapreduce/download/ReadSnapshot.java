package org.grampus.mapreduce.download;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.util.Time;
import org.grampus.mapreduce.command.Sentence;
import org.grampus.mapreduce.input.SnapshotSplits;
import org.grampus.mapreduce.snapshot.OwnSnapshot;
import org.grampus.mapreduce.snapshot.Snapshot;

/**
 * The snapshot that a command reads: one that its user names, or one that it takes for itself,
 * which goes when this is closed.
 */
final class ReadSnapshot implements Closeable {
  private final Snapshot snapshot;

  /** Null for one that the user names. */
  private final OwnSnapshot own;

  private ReadSnapshot(Snapshot snapshot, OwnSnapshot own) {
    this.snapshot = snapshot;
    this.own = own;
  }

  /**
   * Opens it, and makes it what the job of a configuration reads.
   *
   * @param named by the user, or null
   * @param command whose name becomes part of the snapshot's that is taken
   * @throws IOException when there is none, it is of another table, or none can be taken
   */
  static ReadSnapshot open(Configuration conf, TableName table, String named, String command)
      throws IOException {
    if (named != null) {
      return new ReadSnapshot(opened(conf, table, named), null);
    }
    String run = command + "-" + ProcessHandle.current().pid() + "-" + Time.now();
    OwnSnapshot own = OwnSnapshot.take(conf, table, run);
    try {
      return new ReadSnapshot(opened(conf, table, own.name()), own);
    } catch (IOException | RuntimeException e) {
      remove(own);
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
    conf.set(SnapshotSplits.SNAPSHOT_KEY, name);
    return opened;
  }

  /** Its regions and files. */
  Snapshot snapshot() {
    return snapshot;
  }

  /**
   * Lets a job on a cluster remove a snapshot of the command's own, should this process be gone.
   */
  void removeAtEndOf(Configuration job) {
    if (own != null) {
      own.removeAtEndOf(job);
    }
  }

  @Override
  public void close() {
    if (own != null) {
      remove(own);
    }
  }

  /** Its removal decides nothing about what was read. */
  private static void remove(OwnSnapshot own) {
    try {
      own.close();
    } catch (IOException e) {
      System.err.println("grampus: snapshot " + own.name() + " stays for now: " + Sentence.of(e));
    }
  }
}
