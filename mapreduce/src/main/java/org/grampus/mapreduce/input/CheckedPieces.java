package org.grampus.mapreduce.input;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The pieces of a range of rows as a server says them. A piece is taken only where it can be true:
 * it begins in the range, behind the one before, at a row that HBase allows; its bytes can be
 * summed. One thread.
 */
final class CheckedPieces {
  /** Servers make about 4,096 pieces of a region at most. */
  static final int PIECES_MAX = 2 * 4096;

  /** No piece counts for more bytes, so that those of all pieces can be summed. */
  static final long BYTES_MAX = 1L << 45;

  private final KeyRange range;
  private final int piecesMax;
  private final List<Piece> pieces = new ArrayList<>();

  /** The last piece that begins below the range. */
  private Piece below;

  /**
   * No pieces yet.
   *
   * @param range the rows that they are of
   * @param piecesMax how many there may be
   */
  CheckedPieces(KeyRange range, int piecesMax) {
    this.range = range;
    this.piecesMax = piecesMax;
  }

  /** Takes a piece if it can be true. */
  void add(Piece piece) {
    byte[] row = piece.firstRow();
    if (row.length > HConstants.MAX_ROW_LENGTH || piece.bytes() < 0) {
      return;
    }
    Piece counted = new Piece(row, Math.min(piece.bytes(), BYTES_MAX));
    if (Bytes.compareTo(row, range.start()) < 0) {
      below = below == null || isBehind(row, below) ? counted : below;
    } else if (range.contains(row) && (pieces.isEmpty() || isBehind(row, last()))) {
      pieces.add(counted);
    }
  }

  private Piece last() {
    return pieces.get(pieces.size() - 1);
  }

  private static boolean isBehind(byte[] row, Piece before) {
    return Bytes.compareTo(row, before.firstRow()) > 0;
  }

  /**
   * The pieces, ascending. What reaches into the range from below it begins where the range does.
   */
  List<Piece> pieces() {
    List<Piece> checked = new ArrayList<>();
    boolean startIsOpen =
        pieces.isEmpty() || Bytes.compareTo(pieces.get(0).firstRow(), range.start()) > 0;
    if (below != null && startIsOpen) {
      checked.add(new Piece(range.start(), below.bytes()));
    }
    checked.addAll(pieces);
    return checked.size() <= piecesMax ? checked : checked.subList(0, piecesMax);
  }
}
