package org.grampus.perf.pe.client;

import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;

/**
 * What a client has done, up to its end or to its failure.
 *
 * @param assignment what it was to do
 * @param counts what it did
 * @param times when
 * @param latencies of measured requests
 * @param series the same second by second
 * @param failure why it did not come to its end; null when it did
 */
public record ClientResult(
    Assignment assignment,
    Counts counts,
    Times times,
    Latencies latencies,
    Series series,
    String failure) {
  /** The failure of a client that was stopped because another one has failed. */
  public static final String STOPPED = "it was stopped";

  /** Its number. */
  public int client() {
    return assignment.client();
  }

  /** Whether it came to its end. */
  public boolean isWhole() {
    return failure == null;
  }
}
