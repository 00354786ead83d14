package org.grampus.spark.read;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.spark.sql.connector.read.InputPartition;
import org.grampus.mapreduce.input.PlannedTableSplit;
import org.grampus.mapreduce.input.SnapshotSplit;

/** A split as Spark sends it to an executor. */
final class SplitPartition implements InputPartition {
  private static final long serialVersionUID = 1;

  /** Of a table without rows, which has no split. */
  static final SplitPartition EMPTY = new SplitPartition(null, new String[0], false, null);

  private final byte[] split;
  private final String[] hosts;
  private final boolean ofSnapshot;

  /** On the driver alone. */
  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // referred to, so that it lives
  private final transient Object lease;

  private SplitPartition(byte[] split, String[] hosts, boolean ofSnapshot, Object lease) {
    this.split = split;
    this.hosts = hosts;
    this.ofSnapshot = ofSnapshot;
    this.lease = lease;
  }

  /** A split whose rows need a lease until they are read. */
  static SplitPartition of(InputSplit split, Object lease) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    ((Writable) split).write(out);
    byte[] bytes = Arrays.copyOf(out.getData(), out.getLength());
    try {
      return new SplitPartition(bytes, split.getLocations(), split instanceof SnapshotSplit, lease);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the planning was interrupted", e);
    }
  }

  /** The split; null when there are no rows. */
  InputSplit split() throws IOException {
    if (split == null) {
      return null;
    }
    InputSplit read = ofSnapshot ? new SnapshotSplit() : new PlannedTableSplit();
    DataInputBuffer in = new DataInputBuffer();
    in.reset(split, split.length);
    ((Writable) read).readFields(in);
    return read;
  }

  @Override
  public String[] preferredLocations() {
    return hosts.clone();
  }
}
