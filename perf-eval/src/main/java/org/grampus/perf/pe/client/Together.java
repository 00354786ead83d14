package org.grampus.perf.pe.client;

import java.util.Comparator;
import java.util.List;

/**
 * Clients that ran at the same time. Rates of clients that ran one after the other do not add up.
 *
 * @param clients their number
 * @param operationsPerSecond the sum of their rates, each in its own time
 */
public record Together(int clients, double operationsPerSecond) {
  private static final double NANOS_OF_SECOND = 1e9;

  /** Those of a moment with the greatest sum; in such a moment one of them begins. */
  static Together of(List<ClientResult> all) {
    return all.stream()
        .map(one -> at(one, all))
        .max(Comparator.comparingDouble(Together::operationsPerSecond))
        .orElse(new Together(0, 0));
  }

  private static Together at(ClientResult begins, List<ClientResult> all) {
    List<ClientResult> running = all.stream().filter(one -> runs(one, begins)).toList();
    return new Together(running.size(), running.stream().mapToDouble(Together::rate).sum());
  }

  private static boolean runs(ClientResult one, ClientResult begins) {
    long moment = begins.times().firstMillis();
    return one.client() == begins.client()
        || (one.times().firstMillis() <= moment && moment < one.times().lastMillis());
  }

  private static double rate(ClientResult one) {
    return one.counts().operations() * NANOS_OF_SECOND / Math.max(1, one.times().nanos());
  }
}
