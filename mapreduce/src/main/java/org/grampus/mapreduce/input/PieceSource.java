package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;

/** Says where the bytes of regions are. Any thread. */
@FunctionalInterface
interface PieceSource {
  /**
   * The pieces of regions.
   *
   * @param regions those that a plan cuts
   * @return for each of them its pieces, ascending; none when nothing is known
   */
  List<List<Piece>> pieces(List<CutRegion> regions) throws IOException;
}
