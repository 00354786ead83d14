package org.grampus.perf.compare;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.result.Run;

/** All rows on two fresh servers. For one thread. */
public final class Round {
  private final int number;
  private final List<MeasuredServer> servers;
  private final Bench bench;
  private final Effort effort;
  private final Progress progress;

  /**
   * A round.
   *
   * @param number of the round, from 1; each of its runs has it among its figures
   * @param servers two, in the order of their first turn
   * @param progress is told of each run that counts
   */
  public Round(
      int number, List<MeasuredServer> servers, Bench bench, Effort effort, Progress progress) {
    this.number = number;
    this.servers = List.copyOf(servers);
    this.bench = bench;
    this.effort = effort;
    this.progress = progress;
  }

  /** Measures rows; each of their tables is loaded before the first of its rows, and then goes. */
  public void measure(List<Row> rows) throws ToolException, IOException, InterruptedException {
    for (Map.Entry<DataSet, List<Row>> entry : Row.byData(rows).entrySet()) {
      load(entry.getKey());
      for (Row row : entry.getValue()) {
        bench.note(row + ": " + row.what());
        new Turns(row, runner(row), bench.sizes(), effort)
            .take(run -> progress.counted(ofThisRound(run)));
        progress.rowDone();
      }
      for (MeasuredServer server : servers) {
        bench.drop(server, entry.getKey().table());
      }
    }
  }

  private Turns.Runner runner(Row row) {
    Measurement measurement = new Measurement(bench);
    return (server, operations, number) ->
        measurement.of(servers.get(server), row, operations, number);
  }

  private void load(DataSet data) throws ToolException, IOException, InterruptedException {
    for (MeasuredServer server : servers) {
      bench.note("loading " + data.table() + " into " + server);
      data.load(server, bench);
    }
  }

  private Run ofThisRound(Run run) {
    Map<String, Object> figures = new LinkedHashMap<>(run.figures());
    figures.put(Comparison.ROUND, number);
    return run.figures(figures);
  }
}
