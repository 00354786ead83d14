package org.grampus.perf.pe.client;

import java.util.List;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;

/**
 * What all clients have done.
 *
 * @param clients their results, in the order of their numbers; not empty
 * @param rowsAsked rows that all of them should have read or written
 */
public record RunResult(List<ClientResult> clients, long rowsAsked) {
  private static final double NANOS_OF_SECOND = 1e9;

  /** Of clients that know themselves what they should have done. */
  public static RunResult of(List<ClientResult> clients) {
    return new RunResult(
        clients, clients.stream().mapToLong(one -> one.counts().rows().expected()).sum());
  }

  /** Counts of all. */
  public Counts counts() {
    return clients.stream().map(ClientResult::counts).reduce(Counts.NONE, Counts::plus);
  }

  /** From the first request to the last answer. */
  public Times times() {
    return clients.stream().map(ClientResult::times).reduce(Times::plus).orElseThrow();
  }

  /** Operations of all clients in a second, from the first request to the last answer. */
  public double operationsPerSecond() {
    return counts().operations() * NANOS_OF_SECOND / Math.max(1, times().nanos());
  }

  /** Latencies of all. */
  public Latencies latencies() {
    Latencies all = new Latencies(0);
    clients.forEach(one -> all.add(one.latencies()));
    return all;
  }

  /** Second by second, of all. */
  public Series series() {
    Series all = new Series();
    clients.forEach(one -> all.add(one.series()));
    return all;
  }

  /**
   * Sentences about what is not as it was asked for; empty when all is well.
   *
   * @param allowMissing whether rows may be missing
   */
  public List<String> failures(boolean allowMissing) {
    return RunCheck.failures(this, allowMissing);
  }
}
