package org.grampus.perf.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import org.grampus.perf.stock.Workload;

/** The workloads on two fresh servers that take turns. For one thread. */
final class CompareRound {
  private final int number;
  private final List<MeasuredServer> servers;
  private final Meter meter;
  private final PrintWriter tsv;
  private final List<Run> runs = new ArrayList<>();

  /**
   * A round.
   *
   * @param number of the round, from 1; each of its runs has it among its figures
   * @param servers in the order of their turns
   * @param tsv takes a line of each counted run at once
   */
  CompareRound(int number, List<MeasuredServer> servers, Meter meter, PrintWriter tsv) {
    this.number = number;
    this.servers = servers;
    this.meter = meter;
    this.tsv = tsv;
  }

  /**
   * Loads both servers, then warms up and counts each workload.
   *
   * @param rows of each loading client
   * @param repeat counted runs of each workload, or null for as many as the workload needs
   * @return the counted runs, as many of either server
   */
  List<Run> measure(List<Workload> workloads, long rows, Integer repeat)
      throws ToolException, IOException, InterruptedException {
    load(rows);
    for (Workload workload : workloads) {
      MeasuringCommand.note(workload.toString());
      warm(workload, rows);
      count(workload, rows, repeat == null ? workload.countedRuns() : repeat);
    }
    return runs;
  }

  private void load(long rows) throws ToolException, IOException, InterruptedException {
    for (MeasuredServer server : servers) {
      long loaded = Workload.SEQUENTIAL_WRITE.operations(rows);
      MeasuringCommand.note(server + ": loading " + loaded + " rows");
      meter.work(server, Workload.SEQUENTIAL_WRITE.arguments(rows));
    }
  }

  private void warm(Workload workload, long rows)
      throws ToolException, IOException, InterruptedException {
    for (MeasuredServer server : servers) {
      if (workload == Workload.SCAN) {
        meter.compact(server, "TestTable");
      }
      for (int i = 0; i < workload.warmups(); i++) {
        meter.work(server, workload.arguments(rows));
      }
    }
  }

  private void count(Workload workload, long rows, int times)
      throws ToolException, IOException, InterruptedException {
    for (int turn = 1; turn <= times; turn++) {
      for (MeasuredServer server : servers) {
        int run = (number - 1) * times + turn;
        say(
            meter
                .measure(server, workload.toString(), workload.arguments(rows), run)
                .figures(Map.of("round", number)));
      }
    }
  }

  private void say(Run run) {
    runs.add(run);
    String line =
        ResultTable.cell(
            "%s\t%s\t%.3f\t%.0f\t%.2f\t%d",
            run.server(),
            run.workload(),
            run.serverMicrosPerOperation(),
            run.rowsPerSecond(),
            run.serverCpuSeconds(),
            number);
    System.out.println(line);
    tsv.println(line);
    tsv.flush();
  }
}
