package org.grampus.mapreduce.input;

import java.util.Random;
import java.util.function.Consumer;

/**
 * Runs a property many times by chance. A failure names the seed of its run; {@code
 * -Dgrampus.seed=N} runs that one alone.
 */
public final class Seeds {
  private static final int RUNS = 200;

  private Seeds() {}

  /** Runs a property. */
  public static void check(Consumer<Random> property) {
    Long given = Long.getLong("grampus.seed");
    long first = given == null ? System.nanoTime() : given;
    System.out.println("seeds from " + first);
    for (long seed = first; seed < first + (given == null ? RUNS : 1); seed++) {
      try {
        property.accept(new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }
}
