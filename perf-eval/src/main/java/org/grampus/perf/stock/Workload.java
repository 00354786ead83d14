package org.grampus.perf.stock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.grampus.perf.ToolException;

/** The work of comparisons and profiles, in commands of the stock PerformanceEvaluation. */
public enum Workload {
  /** Buffered puts. */
  SEQUENTIAL_WRITE("sequentialWrite", 4, 1, 1, ""),
  /** One get per call, from cache. */
  RANDOM_READ("randomRead", 4, 1, 1, ""),
  /** The whole table, after a major compaction. */
  SCAN("scan", 1, 6, 6, "--caching=1000"),
  /** One durable put per call. */
  RANDOM_WRITE("randomWrite", 4, 1, 1, "--autoFlush=true");

  private static final int LOADING_CLIENTS = 4;

  private final String command;
  private final int clients;
  private final int warmups;
  private final int profiledRuns;
  private final String option;

  Workload(String command, int clients, int warmups, int profiledRuns, String option) {
    this.command = command;
    this.clients = clients;
    this.warmups = warmups;
    this.profiledRuns = profiledRuns;
    this.option = option;
  }

  /** The workload by PerformanceEvaluation's name. */
  public static Workload of(String command) throws ToolException {
    return Arrays.stream(values())
        .filter(workload -> workload.command.equals(command))
        .findFirst()
        .orElseThrow(
            () -> new ToolException("unknown workload " + command + "; there are " + names()));
  }

  private static String names() {
    return Arrays.stream(values()).map(Workload::toString).collect(Collectors.joining(", "));
  }

  /**
   * Operations of one run.
   *
   * @param rows what each of four clients loads: single calls are made for two fifths of them, and
   *     one client scans all
   */
  public long operations(long rows) {
    return rowsPerClient(rows) * clients;
  }

  private long rowsPerClient(long rows) {
    return switch (this) {
      case SEQUENTIAL_WRITE -> rows;
      case RANDOM_READ, RANDOM_WRITE -> rows * 2 / 5;
      case SCAN -> rows * LOADING_CLIENTS;
    };
  }

  /** Arguments of {@code bin/grampus run} for one run. */
  public List<String> arguments(long rows) {
    List<String> all = new ArrayList<>();
    all.add("--rows=" + rowsPerClient(rows));
    if (!option.isEmpty()) {
      all.add(option);
    }
    all.add(command);
    all.add(String.valueOf(clients));
    return PeCommand.arguments(all);
  }

  /** Runs that are not counted: 20 s or 1,000,000 operations of the documented size. */
  public int warmups() {
    return warmups;
  }

  /** Runs under a profiler. */
  public int profiledRuns() {
    return profiledRuns;
  }

  /** PerformanceEvaluation's name. */
  @Override
  public String toString() {
    return command;
  }
}
