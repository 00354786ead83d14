package org.grampus.compat.filter.pattern;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/**
 * When a search is given up.
 *
 * @param millis time that the searches of one call may take, in all, with the compilation of their
 *     patterns
 * @param call what the searches of the call that the calling thread runs have taken; a new one for
 *     each search where there are no calls, so that the limit is that of one search
 * @param abandoned whether the client whose call the calling thread runs has stopped waiting
 */
public record MatchLimits(long millis, Supplier<SearchTime> call, BooleanSupplier abandoned) {
  private static final String MILLIS_KEY = "grampus.pattern.timeout.ms";
  private static final long MILLIS = 5_000;

  /** As good as no limit, and nanoseconds of it can be added to a time. */
  private static final long MILLIS_MAX = TimeUnit.DAYS.toMillis(365);

  /**
   * The limits of a configuration, a year at most.
   *
   * @throws IllegalArgumentException when its time is not positive
   */
  public static MatchLimits of(
      Configuration conf, Supplier<SearchTime> call, BooleanSupplier abandoned) {
    long millis = conf.getLong(MILLIS_KEY, MILLIS);
    if (millis <= 0) {
      throw new IllegalArgumentException(MILLIS_KEY + " must be positive, not " + millis);
    }
    return new MatchLimits(Math.min(millis, MILLIS_MAX), call, abandoned);
  }
}
