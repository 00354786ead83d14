package org.grampus.perf.compare;

import static org.grampus.perf.compare.Fixture.p50;
import static org.grampus.perf.compare.Fixture.p99;
import static org.grampus.perf.compare.Fixture.row;
import static org.grampus.perf.compare.Fixture.run;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;

final class GoalTest {
  private static final Goal OVERLOAD = Goal.throughput(0.9, Set.of("overload-1", "overload-4"));

  private static List<Optional<Boolean>> holds(List<Row> rows, List<Run> runs) {
    Verdicts verdicts = Verdicts.of(rows, runs);
    return verdicts.rows().stream().map(verdicts::holds).toList();
  }

  private static Optional<Boolean> holds(Goal goal, double grampus, double other) {
    return holds(
            List.of(row("get", goal)),
            List.of(run("grampus", "get", 1, grampus), run("hbase", "get", 1, other)))
        .get(0);
  }

  @Test
  void processorTimeMayBeTheWholePart() {
    assertEquals(Optional.of(true), holds(Goal.cpu(0.25), 10, 40));
    assertEquals(Optional.of(false), holds(Goal.cpu(0.25), 10.1, 40));
    assertEquals(Optional.empty(), holds((Goal) null, 10, 40));
  }

  @Test
  void latencyMayBeTheSame() {
    assertEquals(Optional.of(true), holds(Goal.latency(), 10, 40));
    assertEquals(Optional.of(true), latency(40, 41));
    assertEquals(Optional.of(false), latency(41, 40));
  }

  @Test
  void oneOfTwoGoalsIsNotEnough() {
    Goal both = Goal.cpu(0.25).and(Goal.parquet(1_823_611));
    assertEquals(Optional.of(true), holds(both, 10, 40));
    assertEquals(Optional.of(false), holds(both, 10.1, 40));
    assertEquals(Optional.of(false), holds(Goal.cpu(0.25).and(Goal.parquet(1)), 10, 40));
  }

  @Test
  void oneOfTwoGoalsMayBeEnough() {
    Goal either = Goal.cpu(0.25).or(Goal.parquet(1));
    assertEquals("0.25 of the CPU or 1.15 of Parquet's 1 bytes", either.text());
    assertEquals(Optional.of(true), holds(either, 10, 40));
    assertEquals(Optional.of(false), holds(either, 10.1, 40));
  }

  @Test
  void callMayTakeAnEchoAndSomeMicroseconds() {
    assertEquals(Optional.of(true), aboveEcho(15.9, List.of(9.0, 11.0)));
    assertEquals(Optional.of(false), aboveEcho(16.1, List.of(9.0, 11.0)));
  }

  @Test
  void withoutAnEchoThatIsNotKnown() {
    assertEquals(Optional.of(false), aboveEcho(1, List.of()));
  }

  private static Optional<Boolean> aboveEcho(double grampus, List<Double> echoes) {
    List<Run> runs =
        Stream.concat(
                echoes.stream().map(micros -> run(Echo.NAME, Echo.NAME, 1, micros)),
                Stream.of(run("grampus", "get", 1, grampus), run("hbase", "get", 1, 20)))
            .toList();
    return holds(List.of(Echo.row(), row("get", Goal.aboveEcho(6))), runs).get(0);
  }

  @Test
  void rowMayTakeAPartMoreThanTheFirst() {
    assertEquals(Optional.of(true), flat(20, 23));
    assertEquals(Optional.of(true), flat(20, 10));
    assertEquals(Optional.of(false), flat(20, 23.1));
  }

  /** The other server's figures do not matter. */
  private static Optional<Boolean> flat(double first, double next) {
    return holds(
            List.of(row("regions-1", null), row("regions-9", Goal.flat(1.15, "regions-1"))),
            List.of(
                run("grampus", "regions-1", 1, first),
                run("hbase", "regions-1", 1, 1),
                run("grampus", "regions-9", 1, next),
                run("hbase", "regions-9", 1, 1)))
        .get(1);
  }

  @Test
  void latencyMayGrowByAFactorBesideAnotherRow() {
    assertEquals(Optional.of(true), latencyBeside(100, 800));
    assertEquals(Optional.of(false), latencyBeside(100, 801));
  }

  private static Optional<Boolean> latencyBeside(double once, double fourTimes) {
    Goal goal = Goal.latency(8, "overload-1");
    return holds(
            List.of(row("overload-1", null), row("overload-4", goal)),
            List.of(
                p99(run("grampus", "overload-1", 1, 1), once),
                run("hbase", "overload-1", 1, 1),
                p99(run("grampus", "overload-4", 1, 1), fourTimes),
                run("hbase", "overload-4", 1, 1)))
        .get(1);
  }

  @Test
  void observedServerMayTakeFivePercentMore() {
    assertEquals(Optional.of(true), observed(List.of(10.4, 10.4, 10.4), 96, 209, 0));
    assertEquals(Optional.of(false), observed(List.of(10.6, 10.6, 10.6), 100, 200, 0));
    assertEquals(Optional.of(false), observed(List.of(10.0, 10.0, 10.0), 94, 200, 0));
    assertEquals(Optional.of(false), observed(List.of(10.0, 10.0, 10.0), 100, 211, 0));
    assertEquals(Optional.of(false), observed(List.of(10.0, 10.0, 10.0), 100, 200, 1));
  }

  @Test
  void whatRoundsDoNotResolveIsNotMissed() {
    assertEquals(Optional.of(true), observed(List.of(9.0, 11.0, 13.0), 100, 200, 0));
    assertEquals(Optional.of(false), observed(List.of(11.0, 11.1, 11.2), 100, 200, 0));
    assertEquals(Optional.empty(), observed(List.of(20.0, 20.0), 100, 200, 0));
  }

  @Test
  void medianOfFewMicrosecondsIsNotJudged() {
    assertEquals(Optional.of(true), medians(2, 1));
    assertEquals(Optional.of(true), medians(53, 49));
    assertEquals(Optional.of(true), medians(49, 53));
    assertEquals(Optional.of(false), medians(53, 50));
    assertEquals(Optional.of(true), medians(Double.NaN, Double.NaN));
    assertEquals(Optional.of(false), observed(List.of(10.6, 10.6, 10.6), 100, 10, 2, 0, 1));
  }

  private static Optional<Boolean> medians(double grampus, double other) {
    return observed(List.of(10.0, 10.0, 10.0), 100, 10, grampus, 0, other);
  }

  @Test
  void ratioThatIsNoneIsNotMet() {
    assertEquals(Optional.empty(), observed(List.of(0.0, 0.0, 0.0), 100, 0, 200, 0, 200));
    assertEquals(Optional.of(false), observed(List.of(0.0, 0.0, 0.0), 94, 0, 200, 0, 200));
    assertEquals(Optional.of(false), observed(List.of(0.0, 0.0, 0.0), 100, 0, 200, 1, 200));
  }

  /**
   * In each round the other server takes 10 µs for an operation, does 100 in a second and has a
   * median of 200 µs.
   */
  private static Optional<Boolean> observed(
      List<Double> micros, double perSecond, double median, long errors) {
    return observed(micros, perSecond, 10, median, errors, 200);
  }

  private static Optional<Boolean> observed(
      List<Double> micros,
      double perSecond,
      double otherMicros,
      double median,
      long errors,
      double otherMedian) {
    List<Run> runs = new ArrayList<>();
    for (int round = 0; round < micros.size(); round++) {
      runs.add(p50(run("grampus", "get", round, micros.get(round), perSecond, errors), median));
      runs.add(p50(run("hbase", "get", round, otherMicros, 100, 0), otherMedian));
    }
    return holds(List.of(row("get", Goal.observed(1.05, 3))), runs).get(0);
  }

  @Test
  void goalsTogetherNeedTheRoundsOfEach() {
    assertEquals(3, Goal.observed(1.05, 3).and(Goal.cpu(1)).leastRounds());
    assertEquals(3, Goal.cpu(1).or(Goal.observed(1.05, 3)).leastRounds());
  }

  @Test
  void goalNamesTheRowsThatItComparesWith() {
    assertEquals(Set.of(), Goal.cpu(0.25).references());
    assertEquals(
        Set.of("echo", "first"),
        Goal.aboveEcho(6).or(Goal.cpu(1)).and(Goal.flat(1.15, "first")).references());
    assertEquals(Set.of("overload-1", "overload-4"), OVERLOAD.references());
  }

  private static Optional<Boolean> latency(double grampus, double other) {
    return holds(
            List.of(row("put", Goal.latency())),
            List.of(
                p99(run("grampus", "put", 1, 1), grampus), p99(run("hbase", "put", 1, 1), other)))
        .get(0);
  }

  @Test
  void parquetMayBeExceededBy15Percent() {
    assertEquals(Optional.of(true), holds(Goal.parquet(1_823_611), 1, 1));
    assertEquals(Optional.of(false), holds(Goal.parquet(1_823_610), 1, 1));
  }

  @Test
  void throughputIsComparedWithTheBestOfItsRows() {
    assertEquals(Optional.of(true), overload(100, 90, 0));
    assertEquals(Optional.of(false), overload(100, 89, 0));
    assertEquals(Optional.of(true), overload(50, 89, 0));
  }

  @Test
  void throughputWithErrorsIsNone() {
    assertEquals(Optional.of(false), overload(100, 100, 1));
  }

  /** A row of another name is faster, and the other server, too. */
  private static Optional<Boolean> overload(double once, double fourTimes, long errors) {
    return holds(
            List.of(row("get", null), row("overload-1", null), row("overload-4", OVERLOAD)),
            Stream.of(
                    run("grampus", "get", 1, 1, 10_000, 0),
                    run("hbase", "get", 1, 1, 10_000, 0),
                    run("grampus", "overload-1", 1, 1, once, 0),
                    run("hbase", "overload-1", 1, 1, 10_000, 0),
                    run("grampus", "overload-4", 1, 1, fourTimes, errors),
                    run("hbase", "overload-4", 1, 1, 10_000, 0))
                .toList())
        .get(2);
  }
}
