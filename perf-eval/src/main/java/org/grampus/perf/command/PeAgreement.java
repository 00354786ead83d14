package org.grampus.perf.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** HBase's PerformanceEvaluation and ours on the same work of either server. */
@Command(
    name = "pe-agreement",
    description = {
      "HBase's PerformanceEvaluation and ours on the same tests, on a stock HBase and on Grampus:"
          + " HBase's, ours, ours, HBase's after a run of each that does not count.",
      "Fails when a run has not the rows that were asked for, or a first write leaves some out."
    })
final class PeAgreement extends MeasuringCommand {
  /** A machine whose speed drifts treats both alike. */
  private static final List<PeClass> TURNS =
      List.of(PeClass.STOCK, PeClass.OURS, PeClass.OURS, PeClass.STOCK);

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Rows that each of four clients writes. Default: ${DEFAULT-VALUE}")
  private long rows;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "1",
      description = "How often both have two turns in each test. Default: ${DEFAULT-VALUE}")
  private int repeat;

  @Option(
      names = "--require",
      description = "Fails, too, when the throughput of ours is not 0.9 to 1.1 of HBase's.")
  private boolean requiring;

  private final List<Run> runs = new ArrayList<>();
  private final List<Agreement> agreements = new ArrayList<>();
  private Meter meter;

  @Override
  protected void measure() throws Exception {
    meter = new Meter(work().resolve("client.log"), true);
    for (ServerKind kind : List.of(ServerKind.HBASE, ServerKind.GRAMPUS)) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      try (MeasuredServer server =
          MeasuredServer.start(checkout(), work().resolve(name), ServerPlan.of(kind))) {
        for (AgreedWork work : AgreedWork.values()) {
          compare(server, work);
        }
        server.stop();
      }
    }
    write(settings(), runs);
    show();
  }

  private void compare(MeasuredServer server, AgreedWork work)
      throws ToolException, IOException, InterruptedException {
    if (work == AgreedWork.SEQUENTIAL_READ) { // what writes have left would be compacted meanwhile
      meter.compact(server, AgreedWork.TABLE);
    }
    for (PeClass program : PeClass.values()) {
      warm(server, work, program);
    }
    Map<PeClass, List<Run>> counted = new EnumMap<>(PeClass.class);
    for (int turn = 0; turn < repeat * TURNS.size(); turn++) {
      PeClass program = TURNS.get(turn % TURNS.size());
      List<Run> its = counted.computeIfAbsent(program, one -> new ArrayList<>());
      its.add(run(server, work, program, its.size() + 1));
    }
    agreements.add(Agreement.of(server.toString(), work, work.rows(rows), counted));
  }

  /** Each class writes a table of its own first, which must be whole. */
  private void warm(MeasuredServer server, AgreedWork work, PeClass program)
      throws ToolException, IOException, InterruptedException {
    boolean first = work == AgreedWork.SEQUENTIAL_WRITE;
    if (first) {
      drop(server);
    }
    meter.work(server, work.arguments(program, rows));
    if (first) {
      TableDigest table = TableDigest.of(server, work().resolve("client.log"), AgreedWork.TABLE);
      Expect.equal("rows of " + program + " on " + server, work.rows(rows), table.rows());
    }
  }

  private static void drop(MeasuredServer server) throws IOException {
    TableName table = TableName.valueOf(AgreedWork.TABLE);
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      if (admin.tableExists(table)) {
        admin.disableTable(table);
        admin.deleteTable(table);
      }
    }
  }

  private Run run(MeasuredServer server, AgreedWork work, PeClass program, int number)
      throws ToolException, IOException, InterruptedException {
    Run run =
        meter
            .measure(server, work.toString(), work.arguments(program, rows), number)
            .figures(Map.of("class", program.toString()));
    runs.add(run);
    System.out.println(
        ResultTable.cell("%s\t%s\t%s\t%.0f rows/s", server, work, program, run.rowsPerSecond()));
    return run;
  }

  private void show() throws ToolException {
    ResultTable table = new ResultTable("server", "test", "rows", "HBase's/s", "ours/s", "ratio");
    for (Agreement one : agreements) {
      table.row(
          one.server(),
          one.work().toString(),
          one.sameRows() ? String.valueOf(one.asked()) : one.rows().toString(),
          ResultTable.cell("%.0f", one.stockRate()),
          ResultTable.cell("%.0f", one.ownRate()),
          ResultTable.cell("%.2f", one.ratio()));
    }
    System.out.println("\n" + table);
    List<String> faults =
        agreements.stream().flatMap(one -> one.fault(requiring).stream()).toList();
    if (!faults.isEmpty()) {
      throw new ToolException(String.join("; ", faults));
    }
    long near = agreements.stream().filter(Agreement::sameRate).count();
    System.out.println(
        "checked: all rows; throughputs within a tenth: " + near + " of " + agreements.size());
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rowsOfClient", rows);
    settings.put("repeat", repeat);
    settings.put("agreements", agreements.stream().map(Agreement::toMap).toList());
    return settings;
  }
}
