package org.grampus.perf;

import java.util.List;
import java.util.Locale;

/**
 * What one second of a load saw.
 *
 * @param second since the load began, from 0
 * @param rows acknowledged to the bulk writers
 * @param putP50Micros median of the synchronous puts that ended in it, 0 without any
 * @param putP99Micros their 99th percentile
 * @param putMaxMicros the slowest
 * @param storeFiles files of the store that has most at the end of the second: what a get consults
 *     at most
 * @param memstoreMb in memtables at its end
 * @param rssMb resident memory of the server at its end, 0 when it is not known
 */
public record LoadSecond(
    int second,
    long rows,
    long putP50Micros,
    long putP99Micros,
    long putMaxMicros,
    int storeFiles,
    long memstoreMb,
    long rssMb) {
  static final String HEADER =
      "second\trows\tput_p50_us\tput_p99_us\tput_max_us\tstore_files\tmemstore_mb\trss_mb";

  /** Reads the lines of a file, header included. */
  public static List<LoadSecond> parse(String text) {
    return text.lines().skip(1).map(LoadSecond::ofLine).toList();
  }

  private static LoadSecond ofLine(String line) {
    String[] cells = line.split("\t", -1);
    return new LoadSecond(
        Integer.parseInt(cells[0]),
        Long.parseLong(cells[1]),
        Long.parseLong(cells[2]),
        Long.parseLong(cells[3]),
        Long.parseLong(cells[4]),
        Integer.parseInt(cells[5]),
        Long.parseLong(cells[6]),
        Long.parseLong(cells[7]));
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d",
        second,
        rows,
        putP50Micros,
        putP99Micros,
        putMaxMicros,
        storeFiles,
        memstoreMb,
        rssMb);
  }
}
