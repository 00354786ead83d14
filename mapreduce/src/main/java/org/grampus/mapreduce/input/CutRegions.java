package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Regions with the pieces that a goal needs; regions that are not cut are not asked about. */
final class CutRegions {
  private CutRegions() {}

  /** The same regions, those that must be cut in pieces. */
  static List<RegionPieces> of(
      List<RegionPieces> regions, KeyRange scan, SplitGoal goal, PieceSource source)
      throws IOException {
    List<CutRegion> cut = cut(regions, scan, goal);
    List<RegionPieces> inPieces = new ArrayList<>(regions);
    if (cut.isEmpty()) {
      return inPieces;
    }
    List<List<Piece>> pieces = source.pieces(cut);
    for (int i = 0; i < cut.size(); i++) {
      CutRegion of = cut.get(i);
      inPieces.set(of.index(), of.region().in(pieces.get(i)));
    }
    return inPieces;
  }

  private static List<CutRegion> cut(List<RegionPieces> regions, KeyRange scan, SplitGoal goal) {
    Map<String, Long> bytesOfAll = new HashMap<>();
    for (RegionPieces region : regions) {
      long bytes = isWanted(region, scan) ? region.bytes() : 0;
      bytesOfAll.merge(shared(region, goal), bytes, Long::sum);
    }
    List<CutRegion> cut = new ArrayList<>();
    for (int index = 0; index < regions.size(); index++) {
      RegionPieces region = regions.get(index);
      long pieceBytes = goal.pieceBytes(region.bytes(), bytesOfAll.get(shared(region, goal)));
      if (isWanted(region, scan) && region.bytes() > pieceBytes) {
        cut.add(new CutRegion(index, region, pieceBytes));
      }
    }
    return cut;
  }

  /** What the region's splits are a share of: all, or what its server has. */
  private static String shared(RegionPieces region, SplitGoal goal) {
    return goal.isPerServer() ? region.server() : "";
  }

  private static boolean isWanted(RegionPieces region, KeyRange scan) {
    return !region.empty() && !region.range().intersect(scan).isEmpty();
  }
}
