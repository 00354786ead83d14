package org.grampus.mapreduce.input;

import java.util.stream.DoubleStream;

/** How many splits a job wants, in one of the ways in which it can say so. Immutable. */
public final class SplitGoal {
  /**
   * Pieces that a split is made of at least, where there are pieces so small: equal within 10 %.
   */
  static final int PIECES_PER_SPLIT = 10;

  private enum Kind {
    PER_REGION,
    REGIONS_UP_TO,
    TOTAL,
    PER_SERVER,
    BYTES
  }

  private final Kind kind;
  private final long amount;

  private SplitGoal(Kind kind, long amount, String noun) {
    if (amount < 1) {
      throw new IllegalArgumentException(noun + " must be at least 1, not " + amount);
    }
    this.kind = kind;
    this.amount = amount;
  }

  /** The same number of splits for each region, whatever its size. */
  public static SplitGoal perRegion(int splits) {
    return new SplitGoal(Kind.PER_REGION, splits, "the number of splits per region");
  }

  /** One split for each region, and more for one with more bytes than this. */
  public static SplitGoal regionsUpTo(long bytes) {
    return new SplitGoal(Kind.REGIONS_UP_TO, bytes, "the bytes of a split");
  }

  /** A number of splits of equal bytes, whatever the regions. */
  public static SplitGoal total(int splits) {
    return new SplitGoal(Kind.TOTAL, splits, "the number of splits");
  }

  /** A number of splits for each server, each with rows of that server alone. */
  public static SplitGoal perServer(int splits) {
    return new SplitGoal(Kind.PER_SERVER, splits, "the number of splits per server");
  }

  /** Splits of equal bytes, none with much more than these, whatever the regions. */
  public static SplitGoal bytes(long bytes) {
    return new SplitGoal(Kind.BYTES, bytes, "the bytes of a split");
  }

  /** The goal where nothing is known of bytes, which then cannot be counted in. */
  SplitGoal withoutBytes() {
    return kind == Kind.BYTES || kind == Kind.REGIONS_UP_TO ? perRegion(1) : this;
  }

  /** Whether a split may go on from one region into the next. */
  boolean joinsRegions() {
    return kind == Kind.TOTAL || kind == Kind.PER_SERVER || kind == Kind.BYTES;
  }

  /** Whether its number is one for each server. */
  boolean isPerServer() {
    return kind == Kind.PER_SERVER;
  }

  /** How many splits groups of regions have, each at least one. */
  int[] splits(double[] weights) {
    if (kind == Kind.PER_SERVER) {
      return SplitShares.of(weights, (int) amount);
    }
    double all = DoubleStream.of(weights).sum();
    return DoubleStream.of(weights).mapToInt(weight -> splits(weight, all)).toArray();
  }

  private int splits(double weight, double weightOfAll) {
    double splits =
        switch (kind) {
          case PER_REGION -> amount;
          case PER_SERVER -> throw new IllegalStateException("it is shared out by server");
          case TOTAL -> Math.rint(amount * weight / Math.max(weightOfAll, 1));
          case REGIONS_UP_TO, BYTES -> Math.ceil(weight / amount);
        };
    return (int) Math.max(1, Math.min(splits, Integer.MAX_VALUE));
  }

  /**
   * The bytes of the pieces that a plan wants a region to be in.
   *
   * @param bytes of the region
   * @param bytesOfAll of all regions of the scan, or of those of the region's server where the
   *     number of splits is that of a server
   * @return at least 1; {@link Long#MAX_VALUE} when the region needs no pieces
   */
  public long pieceBytes(long bytes, long bytesOfAll) {
    long split =
        switch (kind) {
          case PER_REGION -> amount == 1 ? Long.MAX_VALUE : bytes / amount;
          case TOTAL, PER_SERVER -> bytesOfAll / amount;
          case REGIONS_UP_TO -> bytes <= amount ? Long.MAX_VALUE : amount;
          case BYTES -> amount;
        };
    return split == Long.MAX_VALUE ? split : Math.max(1, split / PIECES_PER_SPLIT);
  }

  @Override
  public String toString() {
    return kind + " " + amount;
  }
}
