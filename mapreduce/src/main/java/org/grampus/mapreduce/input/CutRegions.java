package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;

/** Regions with the pieces that a goal needs; regions that are not cut are not asked about. */
final class CutRegions {
  private CutRegions() {}

  /** The same regions, those that must be cut in pieces. */
  static List<RegionPieces> of(
      List<RegionPieces> regions, KeyRange scan, SplitGoal goal, PieceSource source)
      throws IOException {
    long all = 0;
    for (RegionPieces region : regions) {
      all += isWanted(region, scan) ? region.bytes() : 0;
    }
    long bytesOfAll = all;
    return WaitingCalls.all(
        regions.size(),
        index -> {
          RegionPieces region = regions.get(index);
          long pieceBytes = goal.pieceBytes(region.bytes(), bytesOfAll);
          boolean cut = isWanted(region, scan) && region.bytes() > pieceBytes;
          return cut ? region.in(source.pieces(index, pieceBytes)) : region;
        });
  }

  private static boolean isWanted(RegionPieces region, KeyRange scan) {
    return !region.empty() && !region.range().intersect(scan).isEmpty();
  }
}
