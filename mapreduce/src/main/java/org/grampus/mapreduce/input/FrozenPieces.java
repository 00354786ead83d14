package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.mapreduce.snapshot.FrozenRegions;
import org.grampus.mapreduce.snapshot.SnapshotRegion;

/** Pieces of a snapshot's regions as the indexes of their files have them. Any thread. */
final class FrozenPieces implements PieceSource {
  private final FrozenRegions opener;
  private final List<SnapshotRegion> regions;

  FrozenPieces(FrozenRegions opener, List<SnapshotRegion> regions) {
    this.opener = opener;
    this.regions = regions;
  }

  @Override
  public List<Piece> pieces(int region, long pieceBytes) throws IOException {
    try (NativeFrozenRegion open = opener.open(regions.get(region))) {
      return open.pieces(pieceBytes).stream()
          .map(piece -> new Piece(piece.firstRow(), piece.bytes()))
          .toList();
    } catch (EngineException e) {
      throw ErrorAdapter.adapt(
          "cannot cut " + regions.get(region).info().getRegionNameAsString(), e);
    }
  }
}
