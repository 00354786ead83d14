package org.grampus.perf.pe.client;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.option.PeOptions;

/**
 * What all clients have done.
 *
 * @param clients their results, in the order of their numbers; one that has failed before it began
 *     has none
 * @param operationsAsked operations that all clients should have done
 * @param rowsAsked rows that those with a result should have read or written
 * @param errors sentences about what has failed beside clients with a result
 */
public record RunResult(
    List<ClientResult> clients, long operationsAsked, long rowsAsked, List<String> errors) {
  private static final double NANOS_OF_SECOND = 1e9;

  /** Of clients that know themselves what they should have done. */
  public static RunResult of(PeOptions options, List<ClientResult> clients, List<String> errors) {
    long operations =
        IntStream.range(0, options.clientCount())
            .mapToLong(client -> Assignment.of(options, client).operations())
            .sum();
    long rows = clients.stream().mapToLong(one -> one.counts().rows().expected()).sum();
    return new RunResult(clients, operations, rows, errors);
  }

  /** Whether something has failed, so that these are the results until then. */
  public boolean isPartial() {
    return !errors.isEmpty() || !clients.stream().allMatch(ClientResult::isWhole);
  }

  /** How much of the run these results are. */
  public String extent() {
    return counts().operations() + " of " + operationsAsked + " operations";
  }

  /**
   * Goes on when there is something to show.
   *
   * @throws IOException with what has failed when nothing was answered until then
   */
  public void requireAnswers() throws IOException {
    if (clients.isEmpty() || (isPartial() && counts().operations() == 0)) {
      throw new IOException(String.join("; ", failures(true)));
    }
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

  /** Those that ran at the same time. */
  public Together together() {
    return Together.of(clients);
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
