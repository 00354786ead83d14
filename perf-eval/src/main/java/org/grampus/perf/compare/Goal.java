package org.grampus.perf.compare;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.grampus.perf.result.ResultTable;

/**
 * The number that a row has to reach.
 *
 * @param text in words, for a table
 * @param references names of the reference rows: rows whose figures the goal compares with
 * @param leastRounds with fewer it is not judged
 * @param measured whether what came of the row has the figures that it needs
 * @param condition whether what came of the row reaches it
 */
record Goal(
    String text,
    Set<String> references,
    int leastRounds,
    Predicate<Verdict> measured,
    Condition condition) {
  private static final int PARQUET_PERCENT = 115;

  /** Clients measure whole µs, of which a shorter latency has too few to show 5 %. */
  private static final double SHORTEST_MEDIAN_MICROS = 50;

  /** A condition on what came of a row. */
  @FunctionalInterface
  interface Condition {
    /** Whether it is met, among what came of all rows. */
    boolean isMet(Verdict row, Verdicts all);
  }

  Goal {
    references = Set.copyOf(references);
  }

  private Goal(String text, Set<String> references, Condition condition) {
    this(text, references, 1, row -> true, condition);
  }

  private static Goal withoutReference(String text, Condition condition) {
    return new Goal(text, Set.of(), condition);
  }

  /** The server's processor time for an operation, against that of the other server. */
  static Goal cpu(double most) {
    return withoutReference(
        ResultTable.cell("%.2f of the CPU", most), (row, all) -> row.ratio() <= most);
  }

  /**
   * The server's processor time for an operation: that of an echo of the same run, and some µs.
   * Without an echo it is missed.
   */
  static Goal aboveEcho(double micros) {
    return new Goal(
        ResultTable.cell("echo + %.0f µs", micros),
        Set.of(Echo.NAME),
        (row, all) -> row.grampus().serverMicros() <= all.echoMicros() + micros);
  }

  /** The server's processor time for an operation, against its own in another row. */
  static Goal flat(double most, String first) {
    return new Goal(
        ResultTable.cell("%.2f of the CPU of %s", most, first),
        Set.of(first),
        (row, all) ->
            row.grampus().serverMicros() <= most * all.grampus(first, Summary::serverMicros));
  }

  /** The 99th percentile of the calls' latencies, against that of the other server. */
  static Goal latency() {
    return withoutReference(
        "p99 no worse", (row, all) -> row.grampus().p99Micros() <= row.other().p99Micros());
  }

  /** The 99th percentile of the calls' latencies, against that of another row. */
  static Goal latency(double most, String first) {
    return new Goal(
        ResultTable.cell("p99 at most %.0f times that of %s", most, first),
        Set.of(first),
        (row, all) -> row.grampus().p99Micros() <= most * all.grampus(first, Summary::p99Micros));
  }

  /**
   * Processor time, throughput and median latency, against those of the other server, and no error.
   * It is missed where the interval of the rounds lies above: two processes of one server differ by
   * more. Medians below 50 µs are not looked at.
   *
   * @param rounds with fewer it is not judged; two at least
   */
  static Goal observed(double most, int rounds) {
    return new Goal(
        ResultTable.cell("%.2f of the CPU and of the time by round, no error", most),
        Set.of(),
        rounds,
        row -> lowerEnds(row).noneMatch(Double::isNaN),
        (row, all) -> row.grampus().errors() == 0 && lowerEnds(row).noneMatch(end -> end > most));
  }

  /** Of the intervals of all that an observed server must have no more of than the other one. */
  private static DoubleStream lowerEnds(Verdict row) {
    Stream<ToDoubleFunction<Pairs>> ratios =
        hasLongMedians(row)
            ? Stream.of(Pairs::ratio, Pairs::timeRatio, Pairs::medianRatio)
            : Stream.of(Pairs::ratio, Pairs::timeRatio);
    return ratios.mapToDouble(ratio -> RatioInterval.of(row.rounds(), ratio).from());
  }

  private static boolean hasLongMedians(Verdict row) {
    return row.grampus().p50Micros() >= SHORTEST_MEDIAN_MICROS
        && row.other().p50Micros() >= SHORTEST_MEDIAN_MICROS;
  }

  /** Bytes of the table's files, against those of a Parquet file, with 15 %. */
  static Goal parquet(long bytes) {
    return withoutReference(
        ResultTable.cell("1.15 of Parquet's %d bytes", bytes),
        (row, all) -> row.grampus().diskBytes() * 100 <= bytes * PARQUET_PERCENT);
  }

  /**
   * Throughput without errors, against the best of some rows.
   *
   * @param rows their names, of which this row's may be one
   */
  static Goal throughput(double least, Set<String> rows) {
    return new Goal(
        ResultTable.cell("%.2f of the best throughput, no error", least),
        rows,
        (row, all) ->
            row.grampus().errors() == 0
                && row.grampus().operationsPerSecond() >= least * all.bestPerSecond(rows));
  }

  /** Whether a row reaches it; nothing where rounds are too few, or a figure is missing. */
  Optional<Boolean> judge(Verdict row, Verdicts all) {
    if (row.rounds().size() < leastRounds) {
      return Optional.empty();
    }
    boolean met = condition.isMet(row, all);
    return met && !measured.test(row) ? Optional.empty() : Optional.of(met);
  }

  /** This one and another one. */
  Goal and(Goal other) {
    return new Goal(
        text + ", " + other.text,
        allReferences(other),
        Math.max(leastRounds, other.leastRounds),
        measured.and(other.measured),
        (row, all) -> condition.isMet(row, all) && other.condition.isMet(row, all));
  }

  /** This one or another one. */
  Goal or(Goal other) {
    return new Goal(
        text + " or " + other.text,
        allReferences(other),
        Math.max(leastRounds, other.leastRounds),
        measured.and(other.measured),
        (row, all) -> condition.isMet(row, all) || other.condition.isMet(row, all));
  }

  private Set<String> allReferences(Goal other) {
    return Stream.concat(references.stream(), other.references.stream())
        .collect(Collectors.toSet());
  }
}
