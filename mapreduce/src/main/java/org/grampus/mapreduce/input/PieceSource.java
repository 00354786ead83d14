package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;

/** Says where the bytes of a region are. Any thread. */
interface PieceSource {
  /**
   * The pieces of a region.
   *
   * @param region its index in the list that is planned
   * @param pieceBytes about how large pieces should be
   * @return ascending; none when nothing is known
   */
  List<Piece> pieces(int region, long pieceBytes) throws IOException;
}
