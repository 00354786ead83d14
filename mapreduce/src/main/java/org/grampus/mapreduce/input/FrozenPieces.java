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
  public List<List<Piece>> pieces(List<CutRegion> cut) throws IOException {
    return WaitingCalls.all(cut.size(), index -> pieces(cut.get(index)));
  }

  private List<Piece> pieces(CutRegion cut) throws IOException {
    SnapshotRegion region = regions.get(cut.index());
    try (NativeFrozenRegion open = opener.open(region)) {
      return open.pieces(cut.pieceBytes()).stream()
          .map(piece -> new Piece(piece.firstRow(), piece.bytes()))
          .toList();
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot cut " + region.info().getRegionNameAsString(), e);
    }
  }
}
