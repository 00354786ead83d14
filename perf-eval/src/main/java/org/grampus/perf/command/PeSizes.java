package org.grampus.perf.command;

import java.util.List;

/**
 * The workloads of {@link PeMatrix} in one size; all numbers are rows of each client.
 *
 * @param rows of most workloads
 * @param filterRows of filterScan, each of which reads the whole table
 * @param rangeRows ranges of scanRange100
 * @param atomicRows of workloads that read and write in one call
 * @param seededRows of the run whose digest is compared, which has one client
 */
record PeSizes(long rows, long filterRows, long rangeRows, long atomicRows, long seededRows) {
  static final int CLIENTS = 4;
  static final PeSizes SHORT = new PeSizes(5_000, 2, 1_000, 1_000, 5_000);
  static final PeSizes LONG = new PeSizes(250_000, 20, 10_000, 25_000, 100_000);

  /** Arguments of PerformanceEvaluation but for the number of clients, in order. */
  List<List<String>> workloads() {
    String all = "--rows=" + rows;
    String atomic = "--rows=" + atomicRows;
    return List.of(
        List.of(all, "sequentialWrite"),
        List.of(all, "randomRead"),
        List.of(all, "sequentialRead"),
        List.of(all, "--multiGet=10", "randomRead"),
        List.of(all, "--caching=30", "scan"),
        List.of(all, "--caching=1000", "scan"),
        List.of(all, "--caching=1000", "reverseScan"),
        List.of("--rows=" + filterRows, "filterScan"),
        List.of("--rows=" + rangeRows, "scanRange100"),
        List.of(all, "--autoFlush=true", "randomWrite"),
        List.of(all, "--autoFlush=false", "randomWrite"),
        List.of(atomic, "increment"),
        List.of(atomic, "append"),
        List.of(atomic, "checkAndPut"));
  }

  /** True for a workload after which the table is counted. */
  boolean fillsTable(List<String> workload) {
    return workload.contains("sequentialWrite") || workload.contains("--autoFlush=false");
  }

  long tableRows() {
    return rows * CLIENTS;
  }

  String clientsTimesRows() {
    return CLIENTS + " x " + rows + " rows";
  }

  /**
   * Arguments of the seeded run. Unbuffered: with buffered puts the stock client does not fix which
   * of two puts of one row in one millisecond is the later.
   */
  List<List<String>> seeded() {
    return List.of("sequentialWrite", "randomWrite", "increment", "append", "checkAndPut").stream()
        .map(command -> List.of("--rows=" + seededRows, "--autoFlush=true", command, "1"))
        .toList();
  }
}
