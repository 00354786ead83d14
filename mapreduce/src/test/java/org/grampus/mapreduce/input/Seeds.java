package org.grampus.mapreduce.input;

import java.util.Random;

/**
 * Runs a property many times by chance. A failure names the seed of its run; {@code
 * -Dgrampus.seed=N} runs that one alone.
 */
public final class Seeds {
  private static final int RUNS = 200;

  /** What must hold whatever chance does. */
  @FunctionalInterface
  public interface Property<E extends Exception> {
    void holds(Random random) throws E;
  }

  private Seeds() {}

  /** Runs a property that is quick. */
  public static void check(Property<RuntimeException> property) {
    check(RUNS, property);
  }

  /** Runs a property this many times. */
  public static <E extends Exception> void check(int runs, Property<E> property) throws E {
    Long given = Long.getLong("grampus.seed");
    long first = given == null ? System.nanoTime() : given;
    System.out.println("seeds from " + first);
    for (long seed = first; seed < first + (given == null ? runs : 1); seed++) {
      try {
        property.holds(new Random(seed));
      } catch (AssertionError | Exception e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }
}
