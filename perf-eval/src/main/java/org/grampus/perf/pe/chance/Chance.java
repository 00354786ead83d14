package org.grampus.perf.pe.chance;

import java.util.SplittableRandom;

/**
 * A seed from which every number of a run follows. What is drawn depends on the seed and on what it
 * is drawn for, not on what was drawn before, so that any client and any later run can draw it
 * again. Immutable.
 */
public record Chance(long seed) {
  /** 2<sup>64</sup> divided by the golden ratio: neighbours get far apart. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** The finalizer of MurmurHash3 (public domain, Austin Appleby). */
  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }

  /** The seed for one of many things. */
  public Chance of(long thing) {
    return new Chance(mix(seed + GOLDEN * (thing + 1)));
  }

  /** 64 bits for a thing. */
  public long bits(long thing) {
    return of(thing).seed;
  }

  /**
   * A number for a thing.
   *
   * @param bound above 0
   * @return from 0, below the bound
   */
  public long below(long bound, long thing) {
    if (bound <= 0) {
      throw new IllegalArgumentException("a bound must be above 0, not " + bound);
    }
    return of(thing).numbers().nextLong(bound);
  }

  /** Many numbers in a row. */
  public SplittableRandom numbers() {
    return new SplittableRandom(seed);
  }
}
