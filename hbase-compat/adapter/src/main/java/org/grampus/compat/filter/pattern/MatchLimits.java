package org.grampus.compat.filter.pattern;

import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;

/**
 * When a search is given up.
 *
 * @param millis time that one pattern may take for one value
 * @param abandoned whether the client whose call the calling thread runs has stopped waiting
 */
public record MatchLimits(long millis, BooleanSupplier abandoned) {
  private static final String MILLIS_KEY = "grampus.pattern.timeout.ms";
  private static final long MILLIS = 5_000;

  /**
   * The limits of a configuration.
   *
   * @throws IllegalArgumentException when its time is not positive
   */
  public static MatchLimits of(Configuration conf, BooleanSupplier abandoned) {
    long millis = conf.getLong(MILLIS_KEY, MILLIS);
    if (millis <= 0) {
      throw new IllegalArgumentException(MILLIS_KEY + " must be positive, not " + millis);
    }
    return new MatchLimits(millis, abandoned);
  }
}
