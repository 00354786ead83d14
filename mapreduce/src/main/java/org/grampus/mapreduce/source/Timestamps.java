package org.grampus.mapreduce.source;

import java.time.Instant;

/** Points in time. */
final class Timestamps {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private Timestamps() {}

  /** The time after a number of units since 1970-01-01 UTC. */
  static Instant of(long units, long perSecond) {
    return Instant.ofEpochSecond(
        Math.floorDiv(units, perSecond),
        Math.floorMod(units, perSecond) * (NANOS_PER_SECOND / perSecond));
  }
}
