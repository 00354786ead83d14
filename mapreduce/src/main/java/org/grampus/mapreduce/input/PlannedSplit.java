package org.grampus.mapreduce.input;

import java.util.ArrayList;
import java.util.List;

/** The rows that one task reads: parts of regions, ascending. Immutable. */
final class PlannedSplit {
  /** Pieces of a split that its reader is told, for its progress. */
  private static final int PIECES_MAX = 32;

  /**
   * A range of rows of one region.
   *
   * @param region the region's index in the list that was planned
   * @param bytes about how much there is to read
   */
  public record Part(int region, KeyRange range, double bytes) {}

  private final List<Part> parts;
  private final List<Piece> pieces;
  private final long length;

  private PlannedSplit(List<Part> parts, List<Piece> pieces, long length) {
    this.parts = parts;
    this.pieces = pieces;
    this.length = length;
  }

  /** The split of slices that follow each other; slices of a region meet. */
  static PlannedSplit of(List<Slice> slices) {
    List<Part> parts = new ArrayList<>();
    List<Piece> pieces = new ArrayList<>();
    double bytes = 0;
    int perPiece = (slices.size() + PIECES_MAX - 1) / PIECES_MAX;
    double piece = 0;
    for (int i = 0; i < slices.size(); i++) {
      Slice slice = slices.get(i);
      add(parts, slice);
      bytes += slice.bytes();
      piece += slice.bytes();
      if ((i + 1) % perPiece == 0 || i + 1 == slices.size()) {
        byte[] first = slices.get(i - i % perPiece).range().start();
        pieces.add(new Piece(first, Math.max(1, Math.round(piece))));
        piece = 0;
      }
    }
    return new PlannedSplit(
        List.copyOf(parts), List.copyOf(pieces), Math.max(1, Math.round(bytes)));
  }

  private static void add(List<Part> parts, Slice slice) {
    int last = parts.size() - 1;
    if (last >= 0 && parts.get(last).region() == slice.region()) {
      Part part = parts.get(last);
      KeyRange joined = KeyRange.of(part.range().start(), slice.range().end());
      parts.set(last, new Part(slice.region(), joined, part.bytes() + slice.bytes()));
    } else {
      parts.add(new Part(slice.region(), slice.range(), slice.bytes()));
    }
  }

  /** The parts of regions, at least one. */
  public List<Part> parts() {
    return parts;
  }

  /** The index of the region with most of the bytes, the first of such: a task does well there. */
  public int mainRegion() {
    Part most = parts.get(0);
    for (Part part : parts) {
      most = part.bytes() > most.bytes() ? part : most;
    }
    return most.region();
  }

  /** The rows from the first part's start to the last part's end. */
  public KeyRange range() {
    return KeyRange.of(parts.get(0).range().start(), parts.get(parts.size() - 1).range().end());
  }

  /** Where its bytes are, coarsely; ascending, at least one. */
  public List<Piece> pieces() {
    return pieces;
  }

  /** About how many bytes there are to read; at least 1, for some frameworks drop what has 0. */
  public long length() {
    return length;
  }
}
