package org.grampus.perf.compare;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.grampus.perf.ToolException;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/**
 * One row on two servers, A B B A A B …, or both at once: a machine whose speed drifts treats both
 * alike. For one thread.
 */
final class Turns {
  /** What the warm-up promised too much is made up for by more pairs, but not by many. */
  private static final int MORE_PAIRS = 2;

  private static final int SERVERS = 2;

  /** Runs the row's work on one of the two servers. */
  @FunctionalInterface
  interface Runner {
    /**
     * A run.
     *
     * @param server 0 for the one whose turn is first, or 1
     * @param operations about how many there are
     * @param number of the run among those that count, from 1; 0 for a warm-up
     */
    Run run(int server, long operations, int number)
        throws ToolException, IOException, InterruptedException;
  }

  private final Row row;
  private final Runner runner;
  private final Sizes sizes;
  private final Effort effort;
  private final Schedule schedule;

  /**
   * A row.
   *
   * @param runner is called on two threads when the schedule is {@link Schedule#AT_ONCE}
   */
  Turns(Row row, Runner runner, Sizes sizes, Effort effort, Schedule schedule) {
    this.row = row;
    this.runner = runner;
    this.sizes = sizes;
    this.effort = effort;
    this.schedule = schedule;
  }

  /** Warms both up, and runs pairs until the cheaper server has had enough processor time. */
  void take(Consumer<Run> counted) throws ToolException, IOException, InterruptedException {
    if (row.aftermath() == Row.Aftermath.MEASURED_ONCE) {
      pair(1, row.work().firstOperations(sizes)).forEach(counted);
      return;
    }
    long operations = warm();
    double seconds = 0;
    for (int number = 1; wanted(number, seconds); number++) {
      List<Run> pair = pair(number, operations);
      pair.forEach(counted);
      seconds += Collections.min(figures(pair, Run::serverCpuSeconds));
      operations = operations(figures(pair, Run::serverMicrosPerOperation));
    }
  }

  private boolean wanted(int number, double seconds) {
    return number <= effort.pairs()
        || (number <= effort.pairs() * MORE_PAIRS
            && seconds < effort.cpuSeconds() * effort.pairs());
  }

  private static List<Double> figures(List<Run> pair, Function<Run, Double> figure) {
    return pair.stream().map(figure).toList();
  }

  /** Of a repetition, from the processor time that one operation takes of each server. */
  private long operations(List<Double> micros) {
    return effort.operations(Collections.min(micros), Collections.max(micros));
  }

  /** Returns how many operations a repetition has. */
  private long warm() throws ToolException, IOException, InterruptedException {
    return operations(schedule.run(() -> warm(0), () -> warm(1)));
  }

  private double warm(int server) throws ToolException, IOException, InterruptedException {
    return new WarmUp(row, sizes, effort).take(operations -> runner.run(server, operations, 0));
  }

  private List<Run> pair(int number, long operations)
      throws ToolException, IOException, InterruptedException {
    int beginner = (number + 1) % SERVERS;
    List<Run> pair =
        schedule.run(
            () -> runner.run(beginner, operations, number),
            () -> runner.run(1 - beginner, operations, number));
    requireSame(pair.get(0), pair.get(1));
    return pair;
  }

  /** Two servers of which one leaves rows out cannot be compared. */
  private static void requireSame(Run first, Run second) throws ToolException {
    if (found(first) != found(second)) {
      throw new ToolException(
          ResultTable.cell(
              "%s: %s found %d rows, and %s %d",
              first.workload(), first.server(), found(first), second.server(), found(second)));
    }
  }

  private static long found(Run run) {
    return (Long) run.figures().get(Measurement.FOUND);
  }
}
