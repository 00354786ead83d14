package org.grampus.perf.pe.client;

import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;

/**
 * What a client has done.
 *
 * @param assignment what it was to do
 * @param counts what it did
 * @param times when
 * @param latencies of measured requests
 * @param series the same second by second
 */
public record ClientResult(
    Assignment assignment, Counts counts, Times times, Latencies latencies, Series series) {
  /** Its number. */
  public int client() {
    return assignment.client();
  }
}
