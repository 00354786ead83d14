package org.grampus.mapreduce.source;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Points in time. */
final class Timestamps {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private Timestamps() {}

  /** The time without a zone that a number of units since 1970-01-01 says. */
  static LocalDateTime local(long units, long perSecond) {
    return LocalDateTime.ofInstant(of(units, perSecond), ZoneOffset.UTC);
  }

  /** The time after a number of units since 1970-01-01 UTC. */
  static Instant of(long units, long perSecond) {
    return Instant.ofEpochSecond(
        Math.floorDiv(units, perSecond),
        Math.floorMod(units, perSecond) * (NANOS_PER_SECOND / perSecond));
  }
}
