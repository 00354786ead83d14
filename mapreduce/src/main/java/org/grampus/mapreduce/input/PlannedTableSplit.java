package org.grampus.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.mapreduce.TableSplit;

/** HBase's split of a table, which also knows where its bytes are. */
public final class PlannedTableSplit extends TableSplit {
  private List<Piece> pieces = List.of();

  /** For the framework, which reads the rest. */
  public PlannedTableSplit() {}

  /** A planned split, near the region that has most of its bytes. */
  PlannedTableSplit(TableSplit region, PlannedSplit planned) {
    super(
        region.getTable(),
        null, // the scan is in the job's configuration
        planned.range().start(),
        planned.range().end(),
        region.getRegionLocation(),
        region.getEncodedRegionName(),
        planned.length());
    this.pieces = planned.pieces();
  }

  /** Where its bytes are. */
  public List<Piece> pieces() {
    return pieces;
  }

  /** The same of any split; none when nothing is known. */
  static List<Piece> piecesOf(TableSplit split) {
    return split instanceof PlannedTableSplit planned ? planned.pieces : List.of();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    PieceCodec.write(out, pieces);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    super.readFields(in);
    pieces = PieceCodec.read(in);
  }

  // Two splits are the same when their rows are, as in HBase.

  @Override
  public boolean equals(Object other) {
    return super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
