package org.grampus.mapreduce.input;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** A number of splits, shared among rows that no split may join. Pure. */
final class SplitShares {
  private final double[] weights;
  private final int[] shares;
  private long given;

  private SplitShares(double[] weights) {
    boolean known = DoubleStream.of(weights).sum() > 0;
    this.weights = known ? weights : DoubleStream.of(weights).map(weight -> 1).toArray();
    this.shares = new int[weights.length];
  }

  /**
   * Shares splits so that they have about equal weights.
   *
   * @param weights of each part; all 0 where nothing is known
   * @param total of all parts; each has one split at least, so that there may be more
   */
  static int[] of(double[] weights, int total) {
    SplitShares shares = new SplitShares(weights);
    shares.give(total);
    shares.fill(total);
    shares.takeBack(total);
    return shares.shares;
  }

  private void give(int total) {
    double all = DoubleStream.of(weights).sum();
    for (int i = 0; i < weights.length; i++) {
      shares[i] = (int) Math.max(1, Math.floor(total * (weights[i] / all)));
      given += shares[i];
    }
  }

  /** Gives what is left to the parts whose splits are the largest. */
  private void fill(int total) {
    PriorityQueue<Integer> largest = parts(part -> -weights[part] / shares[part]);
    while (given < total && !largest.isEmpty()) {
      int part = largest.poll();
      shares[part]++;
      given++;
      largest.add(part);
    }
  }

  /** Takes what was given too much, as a part has one at least, where splits stay smallest. */
  private void takeBack(int total) {
    PriorityQueue<Integer> smallest = parts(part -> weights[part] / Math.max(1, shares[part] - 1));
    smallest.removeIf(part -> shares[part] == 1);
    while (given > total && !smallest.isEmpty()) {
      int part = smallest.poll();
      shares[part]--;
      given--;
      if (shares[part] > 1) {
        smallest.add(part);
      }
    }
  }

  private PriorityQueue<Integer> parts(ToDoubleFunction<Integer> order) {
    PriorityQueue<Integer> parts =
        new PriorityQueue<>(Comparator.comparingDouble(order).thenComparingInt(part -> part));
    for (int part = 0; part < weights.length; part++) {
      parts.add(part);
    }
    return parts;
  }
}
