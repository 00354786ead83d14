package org.grampus.perf.compare;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.grampus.perf.ycsb.CoreMix;

/**
 * More callers than a server can serve at once, on twice as much data as it has memory: throughput
 * must not fall, calls must not fail, and none may wait for more than its share.
 */
public final class OverloadRows {
  /** What their names begin with, and what {@code --only} calls all of them. */
  static final String NAME = "overload";

  /** How many times the threads of the first row each has. */
  private static final List<Integer> TIMES = List.of(1, 2, 4);

  private static final double THROUGHPUT_RATIO_MIN = 0.9;

  /** With more threads a call waits for more others: its 99th percentile may be twice that. */
  private static final int P99_PER_THREADS_MAX = 2;

  private static final int THREADS_OF_CORE = 8;
  private static final int DATA_PER_MEMORY = 2;
  private static final long BYTES_OF_RECORD = 1000;

  private OverloadRows() {}

  /** Whether a row wants servers of its own. */
  public static boolean has(Row row) {
    return row.name().startsWith(NAME + "-");
  }

  /** How many times the threads of the first of these rows a row has. */
  static int times(Row row) {
    return Integer.parseInt(row.name().substring(NAME.length() + 1));
  }

  /** By their threads. */
  static List<Row> all() {
    YcsbTable table = new YcsbTable("overload", OverloadRows::records);
    return TIMES.stream().map(times -> row(times, table)).toList();
  }

  private static String name(int times) {
    return NAME + "-" + times;
  }

  private static long records(Sizes sizes) {
    return DATA_PER_MEMORY * (sizes.overloadMemoryMb() << 20) / BYTES_OF_RECORD;
  }

  private static Row row(int times, YcsbTable table) {
    int threads = times * THREADS_OF_CORE * Runtime.getRuntime().availableProcessors();
    return new Row(
        name(times),
        threads + " threads, " + CoreMix.EVEN.what() + ", data twice the memory",
        Optional.of(table),
        new YcsbWork(table, CoreMix.EVEN, threads, false),
        Row.Aftermath.BACKGROUND_WORK,
        times == 1 ? Optional.empty() : Optional.of(goal(times)));
  }

  private static Goal goal(int times) {
    Set<String> names = TIMES.stream().map(OverloadRows::name).collect(Collectors.toSet());
    return Goal.throughput(THROUGHPUT_RATIO_MIN, names)
        .and(Goal.latency(P99_PER_THREADS_MAX * times, name(1)));
  }
}
