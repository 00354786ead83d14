package org.grampus.perf;

import java.util.List;
import java.util.Locale;

/**
 * A load in a few numbers. The first and the last second are left out: they are not whole.
 *
 * @param seconds counted
 * @param rowsPerSecond on average
 * @param worstShare rows of the slowest second against the average
 * @param variation standard deviation of rows per second against the average
 * @param putP99MicrosMedian median over the seconds of the 99th percentile of synchronous puts
 * @param putP99MicrosWorst the highest of them
 * @param storeFilesMax files that a get may have to consult, at worst
 * @param rssMbMax resident memory of the server, at worst
 */
public record LoadSummary(
    int seconds,
    double rowsPerSecond,
    double worstShare,
    double variation,
    long putP99MicrosMedian,
    long putP99MicrosWorst,
    int storeFilesMax,
    long rssMbMax) {

  /**
   * Sums it up.
   *
   * @throws IllegalArgumentException when there is no whole second
   */
  public static LoadSummary of(List<LoadSecond> load) {
    if (load.size() < 3) {
      throw new IllegalArgumentException(
          "the load took " + load.size() + " seconds, too few to say anything of it");
    }
    List<LoadSecond> whole = load.subList(1, load.size() - 1);
    double average = whole.stream().mapToLong(LoadSecond::rows).average().orElseThrow();
    double square =
        whole.stream()
            .mapToDouble(s -> (s.rows() - average) * (s.rows() - average))
            .average()
            .orElseThrow();
    long[] p99 = whole.stream().mapToLong(LoadSecond::putP99Micros).sorted().toArray();
    return new LoadSummary(
        whole.size(),
        average,
        whole.stream().mapToLong(LoadSecond::rows).min().orElseThrow() / average,
        Math.sqrt(square) / average,
        p99[p99.length / 2],
        p99[p99.length - 1],
        load.stream().mapToInt(LoadSecond::storeFiles).max().orElseThrow(),
        load.stream().mapToLong(LoadSecond::rssMb).max().orElseThrow());
  }

  String sentence() {
    return String.format(
        Locale.ROOT,
        "%d s, %.0f rows/s on average, slowest second %.2f of it, deviation %.2f;"
            + " p99 of synchronous puts %.1f ms, at worst %.1f ms; at most %d files, %d MB resident",
        seconds,
        rowsPerSecond,
        worstShare,
        variation,
        putP99MicrosMedian / 1000.0,
        putP99MicrosWorst / 1000.0,
        storeFilesMax,
        rssMbMax);
  }
}
