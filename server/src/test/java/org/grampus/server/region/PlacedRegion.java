package org.grampus.server.region;

/** Regions whose blocks were looked up, for tests. */
public final class PlacedRegion {
  private PlacedRegion() {}

  /** The region, with what a look at its blocks has found. */
  public static OnlineRegion of(OnlineRegion region, BlockWeights found) {
    region.blocks(found);
    return region;
  }
}
