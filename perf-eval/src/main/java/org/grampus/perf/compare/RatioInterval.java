package org.grampus.perf.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.grampus.perf.result.ResultTable;

/**
 * The interval in which the mean ratio of many rounds lies, with a confidence of 95 %. NaN where a
 * figure was not measured.
 *
 * @param from its lower end
 * @param to its upper end
 */
record RatioInterval(double from, double to) {
  private static final double CONFIDENCE = 0.95;

  /**
   * By Student's t distribution over the logarithms of these rounds' ratios.
   *
   * @param rounds two at least: a single one says nothing about another
   * @param ratio of a round
   */
  static RatioInterval of(List<Pairs> rounds, ToDoubleFunction<Pairs> ratio) {
    SummaryStatistics logarithms = new SummaryStatistics();
    rounds.forEach(round -> logarithms.addValue(Math.log(ratio.applyAsDouble(round))));
    double student =
        new TDistribution(rounds.size() - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    double reach = student * logarithms.getStandardDeviation() / Math.sqrt(rounds.size());
    double mean = logarithms.getMean();
    return new RatioInterval(Math.exp(mean - reach), Math.exp(mean + reach));
  }

  @Override
  public String toString() {
    return ResultTable.cell("%.2f - %.2f", from, to);
  }
}
