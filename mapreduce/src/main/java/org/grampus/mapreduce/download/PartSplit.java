package org.grampus.mapreduce.download;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.InputSplit;
import org.grampus.mapreduce.input.PlannedTableSplit;
import org.grampus.mapreduce.input.SnapshotSplit;

/** The rows of one part, which keeps its number when a download goes on without those before. */
final class PartSplit extends InputSplit implements Writable {
  /** Where rows come from; its name is written. */
  private enum Source {
    NOWHERE,
    SNAPSHOT,
    TABLE
  }

  private int number;
  private SnapshotSplit ofSnapshot;
  private PlannedTableSplit ofTable;

  /** For the framework, which reads the rest. */
  PartSplit() {}

  /**
   * A part.
   *
   * @param rows of a snapshot or a table, as our input formats split them; null = there are none
   */
  static PartSplit of(int number, InputSplit rows) {
    PartSplit part = new PartSplit();
    part.number = number;
    if (rows instanceof SnapshotSplit snapshot) {
      part.ofSnapshot = snapshot;
    } else {
      part.ofTable = (PlannedTableSplit) rows;
    }
    return part;
  }

  /** From 0, in the order of rows. */
  int number() {
    return number;
  }

  /** Its rows if they are a snapshot's, or null. */
  SnapshotSplit ofSnapshot() {
    return ofSnapshot;
  }

  /** Its rows if they are a table's, or null. */
  PlannedTableSplit ofTable() {
    return ofTable;
  }

  private Source source() {
    if (ofSnapshot != null) {
      return Source.SNAPSHOT;
    }
    return ofTable != null ? Source.TABLE : Source.NOWHERE;
  }

  @Override
  public long getLength() throws IOException {
    return switch (source()) {
      case SNAPSHOT -> ofSnapshot.getLength();
      case TABLE -> ofTable.getLength();
      case NOWHERE -> 0;
    };
  }

  @Override
  public String[] getLocations() throws IOException {
    return switch (source()) {
      case SNAPSHOT -> ofSnapshot.getLocations();
      case TABLE -> ofTable.getLocations();
      case NOWHERE -> new String[0];
    };
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVInt(out, number);
    WritableUtils.writeEnum(out, source());
    switch (source()) {
      case SNAPSHOT -> ofSnapshot.write(out);
      case TABLE -> ofTable.write(out);
      case NOWHERE -> {}
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    number = WritableUtils.readVInt(in);
    Source source = WritableUtils.readEnum(in, Source.class);
    ofSnapshot = source == Source.SNAPSHOT ? new SnapshotSplit() : null;
    ofTable = source == Source.TABLE ? new PlannedTableSplit() : null;
    switch (source) {
      case SNAPSHOT -> ofSnapshot.readFields(in);
      case TABLE -> ofTable.readFields(in);
      case NOWHERE -> {}
    }
  }

  @Override
  public String toString() {
    return switch (source()) {
      case SNAPSHOT -> "part " + number + " of " + ofSnapshot;
      case TABLE -> "part " + number + " of " + ofTable;
      case NOWHERE -> "part " + number + ", without rows";
    };
  }
}
