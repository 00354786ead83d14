package org.grampus.mapreduce.input;

/** Counters of what a task has read, under HBase's names where HBase has them. One thread. */
public final class ReadCounters {
  /** Adds to a counter of a task, of either API. */
  @FunctionalInterface
  public interface Counting {
    /** Adds. */
    void add(String group, String name, long amount);
  }

  /** HBase's group; the names in it are those of its ScanMetrics. */
  static final String HBASE_GROUP = "HBaseCounters";

  static final String GROUP = "Grampus";

  /** So many results are counted at once. */
  private static final int RESULTS_PER_REPORT = 1024;

  private final Counting counting;
  private long rows;
  private long results;
  private long cells;

  /** Counters of a task. */
  public ReadCounters(Counting counting) {
    this.counting = counting;
  }

  /**
   * Counts a result.
   *
   * @param endsRow whether it is the last, or the only one, of its row
   */
  void result(int resultCells, boolean endsRow) {
    rows += endsRow ? 1 : 0;
    cells += resultCells;
    if (++results % RESULTS_PER_REPORT == 0) {
      report();
    }
  }

  /** Adds to one of HBase's counters. */
  void hbase(String name, long amount) {
    if (amount != 0) {
      counting.add(HBASE_GROUP, name, amount);
    }
  }

  /** Reports what was counted since the last report. */
  void report() {
    counting.add(GROUP, "ROWS", rows);
    counting.add(GROUP, "CELLS", cells);
    rows = 0;
    cells = 0;
  }
}
