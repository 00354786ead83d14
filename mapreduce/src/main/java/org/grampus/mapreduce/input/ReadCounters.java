package org.grampus.mapreduce.input;

import java.util.Map;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.grampus.engine.FrozenReads;
import org.grampus.engine.ScanCounts;
import org.grampus.mapreduce.settings.Setting;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counters of what a task has read, under HBase's names where HBase has them. One thread. */
public final class ReadCounters {
  /** Adds to a counter of a task, of either API. */
  @FunctionalInterface
  public interface Counting {
    /** Adds to a counter; any amount, 0 included. */
    void add(String group, String name, long amount);

    /** Adds to the counters of a task of the new API. */
    static Counting of(TaskAttemptContext task) {
      return (group, name, amount) -> task.getCounter(group, name).increment(amount);
    }
  }

  /** HBase's group; the names in it are those of its ScanMetrics. */
  static final String HBASE_GROUP = "HBaseCounters";

  /** Our group. */
  public static final String GROUP = "Grampus";

  /** Bytes of a snapshot's files that were fetched. */
  public static final String BYTES_READ = "BYTES_READ";

  /** Bytes of a snapshot's files that were not. */
  public static final String BYTES_SKIPPED = "BYTES_SKIPPED";

  /** A counter for each setting with its value: the number of tasks that read by it. */
  static final String SETTINGS_GROUP = "Grampus settings";

  /** So many results are counted at once. */
  private static final int RESULTS_PER_REPORT = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(ReadCounters.class);

  private final Counting counting;
  private long rows;
  private long results;
  private long cells;
  private Result unfinished;

  /** Counters of a task. */
  public ReadCounters(Counting counting) {
    this.counting = counting;
  }

  /** Counters that are not kept. */
  public static ReadCounters ofNobody() {
    return new ReadCounters((group, name, amount) -> {});
  }

  /** Counts a task that reads by these settings. */
  public void settings(Map<String, Setting> effective) {
    try {
      effective.forEach((name, setting) -> counting.add(SETTINGS_GROUP, name + " = " + setting, 1));
    } catch (LimitExceededException e) {
      LOG.warn("the job has too many counters for its settings, which are in the log alone", e);
    }
  }

  /** Whether a result is of another row than the one counted last. */
  private boolean beginsRow(Result result) {
    return unfinished == null
        || !CellUtil.matchingRows(unfinished.rawCells()[0], result.rawCells()[0]);
  }

  /** Counts a result that has cells. */
  void result(Result result) {
    rows += beginsRow(result) ? 1 : 0;
    // That more cells may follow does not say that they do: the next result's row does.
    unfinished = result.mayHaveMoreCellsInRow() ? result : null;
    cells += result.size();
    if (++results % RESULTS_PER_REPORT == 0) {
      report();
    }
  }

  /** Adds to one of HBase's counters. */
  public void hbase(String name, long amount) {
    add(HBASE_GROUP, name, amount);
  }

  /** Adds to one of our counters. */
  public void own(String name, long amount) {
    add(GROUP, name, amount);
  }

  /**
   * Counts the bytes of a split of a snapshot, at its end.
   *
   * @param planned bytes of its files
   * @param read what was fetched of them
   */
  public void bytes(long planned, long read) {
    own("SPLIT_BYTES", planned);
    own(BYTES_READ, read);
    own(BYTES_SKIPPED, Math.max(0, planned - read));
  }

  /** Counts the pages of a split of a snapshot, at its end. */
  public void pages(FrozenReads reads) {
    own("CACHE_HITS", reads.cacheHits());
    own("CACHE_MISSES", reads.cacheMisses());
  }

  /** Counts time that the engine's calls have taken, those of files that they read included. */
  public void inEngine(long nanos) {
    own("ENGINE_NANOS", nanos);
  }

  /** Counts time that the task has waited for results of servers. */
  public void inServer(long nanos) {
    own("SERVER_NANOS", nanos);
  }

  /** Counts what a scan of a region has looked at. */
  public void looked(ScanCounts counts) {
    hbase("ROWS_SCANNED", counts.rowsScanned());
    hbase("ROWS_FILTERED", counts.rowsFiltered());
    hbase("BLOCK_BYTES_SCANNED", counts.bytesScanned());
  }

  private void add(String group, String name, long amount) {
    if (amount != 0) {
      counting.add(group, name, amount);
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
