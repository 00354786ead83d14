package org.grampus.perf;

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
record LoadSecond(
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
