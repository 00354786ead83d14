package org.grampus.perf.compare;

/**
 * How long rows are measured.
 *
 * @param cpuSeconds of the cheaper server's process in a repetition
 * @param warmSeconds of a client's requests before the first repetition
 * @param warmOperations with which a warm-up ends, however fast they were; {@link #NO_LIMIT} where
 *     time alone ends it, and nothing is repeated
 * @param pairs repetitions on each server
 */
public record Effort(double cpuSeconds, double warmSeconds, long warmOperations, int pairs) {
  static final long NO_LIMIT = Long.MAX_VALUE;

  private static final long WARM_OPERATIONS = 1_000_000;

  /** All rows but the flat ones in about an hour. */
  public static final Effort SHORT = new Effort(1, 2, WARM_OPERATIONS, 2);

  /** For tables that are published: the method of the numbers to reach. */
  public static final Effort FULL = new Effort(10, 20, WARM_OPERATIONS, 4);

  /** Repetitions get cheaper than what the number follows from: the compilers go on. */
  private static final double MARGIN = 1.2;

  /** A row on which one server is cheaper by this factor must not take hours on the other. */
  private static final double DEARER_MAX = 12;

  private static final double MICROS = 1e6;

  /** The same with other repetitions. */
  public Effort pairs(int number) {
    return new Effort(cpuSeconds, warmSeconds, warmOperations, number);
  }

  /** The same with a warm-up of other seconds, however many operations they have. */
  public Effort warmSeconds(double seconds) {
    return new Effort(cpuSeconds, seconds, NO_LIMIT, pairs);
  }

  /** Whether the seconds of a warm-up alone end it. */
  public boolean isWarmByTime() {
    return warmOperations == NO_LIMIT;
  }

  /** The same with other seconds of processor time. */
  public Effort cpuSeconds(double seconds) {
    double warm = isWarmByTime() ? warmSeconds : Math.min(warmSeconds, 2 * seconds);
    return new Effort(seconds, warm, warmOperations, pairs);
  }

  /**
   * Operations of a repetition.
   *
   * @param cheaperMicros of the server's processor time that one took on the cheaper server
   * @param dearerMicros the same on the other
   */
  long operations(double cheaperMicros, double dearerMicros) {
    double wanted = MARGIN * cpuSeconds * MICROS / Math.max(cheaperMicros, 1 / MICROS);
    double most = DEARER_MAX * cpuSeconds * MICROS / Math.max(dearerMicros, 1 / MICROS);
    return Math.max(1, Math.round(Math.min(wanted, most)));
  }

  /**
   * Operations of the next run of a warm-up, so that it is over then.
   *
   * @param done operations so far
   * @param seconds that they took
   * @return 0 when it is over
   */
  long moreToWarm(long done, double seconds) {
    if (done >= warmOperations || seconds >= warmSeconds) {
      return 0;
    }
    double rate = done / Math.max(seconds, 1e-3);
    return Math.max(1, Math.min(warmOperations - done, Math.round(rate * (warmSeconds - seconds))));
  }
}
