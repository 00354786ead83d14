package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.result.Run;

/** All rows on two fresh servers. For one thread. */
public final class Round {
  private final int round;
  private final ServerPair pair;
  private final Bench bench;
  private final Effort effort;
  private final Schedule schedule;
  private final Progress progress;

  /**
   * A round.
   *
   * @param round its number, from 1; each of its runs has it among its figures
   * @param schedule how the servers do their work
   * @param progress is told of each run that counts
   */
  public Round(
      int round,
      ServerPair pair,
      Bench bench,
      Effort effort,
      Schedule schedule,
      Progress progress) {
    this.round = round;
    this.pair = pair;
    this.bench = bench;
    this.effort = effort;
    this.schedule = schedule;
    this.progress = progress;
  }

  /**
   * Measures rows: the echo first, on two processes of its own. Each table of the others is loaded
   * before the first of its rows, and then goes.
   */
  public void measure(List<Row> rows) throws ToolException, IOException, InterruptedException {
    Map<Boolean, List<Row>> byServers =
        rows.stream().collect(Collectors.partitioningBy(Row::hasServers));
    for (Row echo : byServers.get(false)) {
      measureEcho(echo);
    }
    for (Map.Entry<DataSet, List<Row>> entry : Row.byData(byServers.get(true)).entrySet()) {
      measure(entry.getKey(), entry.getValue());
    }
  }

  private void measureEcho(Row echo) throws ToolException, IOException, InterruptedException {
    Path directory = Files.createDirectories(bench.newPath());
    try (EchoProcess first = EchoProcess.start(bench, directory);
        EchoProcess second = EchoProcess.start(bench, directory)) {
      take(echo, List.of(first, second));
    }
  }

  private void measure(DataSet data, List<Row> rows)
      throws ToolException, IOException, InterruptedException {
    for (MeasuredServer server : pair.servers()) {
      bench.note("loading " + data.table() + " into " + server);
      data.load(server, bench);
    }
    long loaded = System.currentTimeMillis();
    for (Row row : rows) {
      take(row, pair.targets(bench));
    }
    pair.countSink(loaded);
    for (MeasuredServer server : pair.servers()) {
      bench.drop(server, data.table());
    }
  }

  private void take(Row row, List<? extends Target> targets)
      throws ToolException, IOException, InterruptedException {
    bench.note(row + ": " + row.what());
    Measurement measurement = new Measurement(bench, schedule);
    Turns.Runner runner =
        (server, operations, number) ->
            measurement.of(targets.get(server), row, operations, number);
    new Turns(row, runner, bench.sizes(), effort, schedule)
        .take(run -> progress.counted(ofThisRound(run)));
    progress.rowDone();
  }

  private Run ofThisRound(Run run) {
    Map<String, Object> figures = new LinkedHashMap<>(run.figures());
    figures.put(Comparison.ROUND, round);
    return run.figures(figures);
  }
}
