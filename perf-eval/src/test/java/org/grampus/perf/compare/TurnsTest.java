package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import org.grampus.perf.ToolException;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;

final class TurnsTest {
  private static final Sizes SIZES = new Sizes(1_000_000, 1, 512);

  /** Warmed up by its first run, which takes a second; the second one is no cheaper. */
  private static final Effort EFFORT = new Effort(1, 1, 1_000_000, 2);

  private final List<String> turns = Collections.synchronizedList(new ArrayList<>());
  private final List<Run> counted = new ArrayList<>();

  private void take(Turns.Runner runner) throws Exception {
    take(runner, Schedule.IN_TURN);
  }

  private void take(Turns.Runner runner, Schedule schedule) throws Exception {
    Row get = Catalogue.select(List.of("get"), false, false).get(1); // behind the echo
    new Turns(get, runner, SIZES, EFFORT, schedule).take(counted::add);
  }

  private Run run(int server, long operations, int number, double micros, long found) {
    turns.add((server == 0 ? "A" : "B") + number + ":" + operations);
    Run run = Fixture.run(server == 0 ? "grampus" : "hbase", "get", 1, micros);
    return new Run(
        run.server(),
        run.workload(),
        number,
        operations,
        1.0,
        1.0,
        operations * micros / 1e6,
        micros,
        1.0,
        null,
        null,
        1L,
        1L,
        Map.of(Measurement.SECONDS, 1.0, Measurement.FOUND, found));
  }

  @Test
  void serversTakeTurnsAndHaveTheSameOperations() throws Exception {
    take((server, operations, number) -> run(server, operations, number, 20 + 60 * server, 7));

    assertEquals(
        List.of(
            "A0:50000",
            "A0:50000",
            "B0:50000",
            "B0:50000",
            "A1:60000",
            "B1:60000",
            "B2:60000",
            "A2:60000"),
        turns);
    assertEquals(
        List.of("grampus", "hbase", "hbase", "grampus"),
        counted.stream().map(Run::server).toList());
  }

  @Test
  void serversThatWorkAtOnceHaveTheSameOperations() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    take(
        (server, operations, number) -> {
          Barriers.await(both);
          return run(server, operations, number, 20 + 60 * server, 7);
        },
        Schedule.AT_ONCE);

    assertEquals(
        List.of(
            "A0:50000",
            "A0:50000",
            "A1:60000",
            "A2:60000",
            "B0:50000",
            "B0:50000",
            "B1:60000",
            "B2:60000"),
        turns.stream().sorted().toList());
    assertEquals(
        List.of("grampus", "hbase", "hbase", "grampus"),
        counted.stream().map(Run::server).toList());
  }

  @Test
  void repetitionsThatWereTooShortAreMadeUpFor() throws Exception {
    take(
        (server, operations, number) -> run(server, operations, number, number == 0 ? 400 : 20, 0));

    assertEquals(
        List.of("A1:3000", "B1:3000", "B2:60000", "A2:60000", "A3:60000", "B3:60000"),
        turns.stream().filter(turn -> turn.charAt(1) != '0').toList());
  }

  @Test
  void pairsAreAtMostTwiceAsMany() throws Exception {
    take((server, operations, number) -> run(server, operations, number, 1.0 / operations, 0));

    assertEquals(8, counted.size());
  }

  @Test
  void serversThatFoundOtherRowsCannotBeCompared() {
    ToolException failure =
        assertThrows(
            ToolException.class,
            () ->
                take((server, operations, number) -> run(server, operations, number, 20, server)));

    assertEquals("get: grampus found 0 rows, and hbase 1", failure.getMessage());
  }
}
