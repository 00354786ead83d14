package org.grampus.mapreduce.mapred;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.mapred.TableSplit;
import org.apache.hadoop.io.WritableUtils;
import org.grampus.mapreduce.input.Piece;
import org.grampus.mapreduce.input.PieceCodec;

/** The old API's split of a table, which also knows how many bytes it has and where they are. */
public final class PlannedTableSplit extends TableSplit {
  private long length;
  private List<Piece> pieces = List.of();

  /** For the framework, which reads the rest. */
  public PlannedTableSplit() {}

  /** The same split as one of the new API. */
  PlannedTableSplit(org.grampus.mapreduce.input.PlannedTableSplit planned) {
    super(
        planned.getTable(),
        planned.getStartRow(),
        planned.getEndRow(),
        planned.getRegionLocation());
    this.length = planned.getLength();
    this.pieces = planned.pieces();
  }

  static List<Piece> piecesOf(TableSplit split) {
    return split instanceof PlannedTableSplit planned ? planned.pieces : List.of();
  }

  @Override
  public long getLength() {
    return length;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    WritableUtils.writeVLong(out, length);
    PieceCodec.write(out, pieces);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    super.readFields(in);
    length = WritableUtils.readVLong(in);
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
