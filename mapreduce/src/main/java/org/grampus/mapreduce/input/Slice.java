package org.grampus.mapreduce.input;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a plan does not cut again: a part of a region's rows.
 *
 * @param region the region's index in the list that is planned
 * @param bytes about how much there is to read
 * @param weight what counts towards equal splits: the bytes, or a share of the region where no
 *     region's bytes are known
 */
record Slice(int region, KeyRange range, double bytes, double weight) {
  /** Slices that one slice is cut into at most. */
  private static final int CUTS_MAX = 1000;

  /** The rows of a region that a scan wants, piece by piece. */
  static List<Slice> ofRegion(int index, RegionPieces region, KeyRange scan, UniformKeys keys) {
    List<Slice> slices = new ArrayList<>();
    KeyRange wanted = region.range().intersect(scan);
    List<Piece> pieces = ascending(region);
    for (int i = 0; i < pieces.size(); i++) {
      byte[] start = i == 0 ? region.range().start() : pieces.get(i).firstRow();
      byte[] end = i + 1 < pieces.size() ? pieces.get(i + 1).firstRow() : region.range().end();
      KeyRange whole = KeyRange.of(start, end);
      KeyRange part = whole.intersect(wanted);
      if (!part.isEmpty()) {
        double bytes = pieces.get(i).bytes() * share(whole, part, keys);
        slices.add(new Slice(index, part, bytes, bytes));
      }
    }
    return slices;
  }

  /** The pieces with those left out that begin outside the region or not behind the one before. */
  private static List<Piece> ascending(RegionPieces region) {
    List<Piece> kept = new ArrayList<>();
    for (Piece piece : region.pieces()) {
      int last = kept.size() - 1;
      boolean behind =
          last < 0
              || (region.range().contains(piece.firstRow())
                  && Bytes.compareTo(piece.firstRow(), region.range().start()) > 0
                  && Bytes.compareTo(piece.firstRow(), kept.get(last).firstRow()) > 0);
      if (behind) {
        kept.add(piece);
      } else {
        Piece before = kept.get(last);
        kept.set(last, new Piece(before.firstRow(), before.bytes() + piece.bytes()));
      }
    }
    return kept.isEmpty() ? List.of(new Piece(region.range().start(), region.bytes())) : kept;
  }

  private static double share(KeyRange whole, KeyRange part, UniformKeys keys) {
    if (whole.equals(part)) {
      return 1;
    }
    KeySpan span = keys.span(whole);
    double end = part.end().length == 0 ? 1 : span.share(part.end());
    return Math.max(0, end - span.share(part.start()));
  }

  Slice weighing(double other) {
    return new Slice(region, range, bytes, other);
  }

  /** Slices of about the same weight, none with much more than a limit, as far as keys allow. */
  List<Slice> cut(double weightMax, UniformKeys keys) {
    int wanted = (int) Math.min(CUTS_MAX, Math.ceil(weight / weightMax));
    if (wanted <= 1) {
      return List.of(this);
    }
    List<byte[]> cuts = keys.span(range).cuts(wanted);
    int count = cuts.size() + 1;
    List<Slice> slices = new ArrayList<>(count);
    byte[] start = range.start();
    for (int i = 0; i < count; i++) {
      byte[] end = i < cuts.size() ? cuts.get(i) : range.end();
      slices.add(new Slice(region, KeyRange.of(start, end), bytes / count, weight / count));
      start = end;
    }
    return slices;
  }
}
