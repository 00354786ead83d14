package org.grampus.mapreduce.server;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.junit.jupiter.api.AfterEach;

/** A table, snapshots of it, and jobs that read them. */
abstract class SnapshotCase extends JobTest {
  static final int ROWS = 600;

  @AfterEach
  void dropSnapshots() throws IOException {
    admin.deleteSnapshots(Pattern.compile(Pattern.quote(name.getNameAsString()) + ".*"));
  }

  /** Takes a snapshot of a table; returns its name. */
  String snapshot(TableName of) throws IOException {
    String snapshot = of.getNameAsString() + "Snapshot";
    admin.snapshot(snapshot, of);
    return snapshot;
  }

  /** The snapshots that jobs have taken of the table. */
  List<SnapshotDescription> snapshots() throws IOException {
    return admin.listSnapshots(Pattern.compile(Pattern.quote(name.getNameAsString()) + "-.*"));
  }

  /** A job over a snapshot whose mappers collect what the format gives them. */
  Job job(String snapshot, Scan scan) throws IOException {
    Job job = job(configuration(), SnapshotInputFormat.class, scan);
    job.getConfiguration().set(HBaseKeys.SNAPSHOT_NAME, snapshot);
    return job;
  }

  static Scan all() {
    return new Scan().readAllVersions();
  }
}
