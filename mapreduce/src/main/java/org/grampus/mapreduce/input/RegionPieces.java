package org.grampus.mapreduce.input;

import java.util.List;

/**
 * A region as a plan sees it.
 *
 * @param bytes about how much there is to read; 0 = not known, or nothing
 * @param empty whether it is known that no row is in it: such a region needs no split
 * @param pieces ascending; none stands for one piece
 * @param server that the region is on; empty where that does not matter
 */
record RegionPieces(KeyRange range, long bytes, boolean empty, List<Piece> pieces, String server) {
  /** A region on whatever server. */
  RegionPieces(KeyRange range, long bytes, boolean empty, List<Piece> pieces) {
    this(range, bytes, empty, pieces, "");
  }

  /** A region that is one piece. */
  public static RegionPieces whole(KeyRange range, long bytes) {
    return new RegionPieces(range, bytes, false, List.of());
  }

  /** The same region, on a server. */
  RegionPieces on(String other) {
    return new RegionPieces(range, bytes, empty, pieces, other);
  }

  /** The same region in other pieces. */
  RegionPieces in(List<Piece> others) {
    return new RegionPieces(range, bytes, empty, others, server);
  }
}
