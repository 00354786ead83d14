package org.grampus.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/** Pieces as they travel with a split: their number, then row and bytes of each. */
public final class PieceCodec {
  private PieceCodec() {}

  /** Writes pieces. */
  public static void write(DataOutput out, List<Piece> pieces) throws IOException {
    WritableUtils.writeVInt(out, pieces.size());
    for (Piece piece : pieces) {
      Bytes.writeByteArray(out, piece.firstRow());
      WritableUtils.writeVLong(out, piece.bytes());
    }
  }

  /** Reads what {@link #write} wrote. */
  public static List<Piece> read(DataInput in) throws IOException {
    int count = WritableUtils.readVInt(in);
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] row = Bytes.readByteArray(in);
      pieces.add(new Piece(row, WritableUtils.readVLong(in)));
    }
    return pieces;
  }
}
