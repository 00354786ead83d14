package org.grampus.perf.process;

import java.util.Locale;

/** Says how long the steps of a check take. */
public final class Took {
  private static final double NANOS = 1e9;

  private Took() {}

  /** Prints what began at this time, of {@link System#nanoTime}, and has ended now. */
  public static void print(String what, long begun) {
    System.out.printf(Locale.ROOT, "%-64s %6.1f s%n", what, (System.nanoTime() - begun) / NANOS);
  }
}
