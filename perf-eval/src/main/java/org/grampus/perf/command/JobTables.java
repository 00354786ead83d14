package org.grampus.perf.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.compare.FlightTable;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.scan.FlightCopies;
import org.grampus.perf.stock.PeCommand;

/**
 * The tables that jobs read, the same on each server: rows of 1 KB, and the demo's flights several
 * times. Both have as many regions as the most mappers that take part, major-compacted, and a
 * snapshot.
 *
 * @param rows of 1 KB
 * @param copies of the flights
 * @param regions of each table
 * @param compression of both
 */
record JobTables(long rows, int copies, int regions, Compression.Algorithm compression) {
  /** PerformanceEvaluation's table. */
  static final String ROWS = "TestTable";

  /** Wide rows. */
  static final String FLIGHTS = "flights";

  private static final String SMALL_SUFFIX = "_small";
  private static final int CLIENTS = 4;

  /** Name of the table with the same columns and regions and a row or two in each. */
  static String smallOf(String table) {
    return table + SMALL_SUFFIX;
  }

  /** Rows of one of the two tables. */
  long rowsOf(String table) {
    return table.equals(ROWS) ? rows / CLIENTS * CLIENTS : copies * FlightCopies.ROWS;
  }

  /**
   * About the most bytes of disk that a server takes while it is loaded: files, files that a
   * compaction has replaced, and logs, as seen with 2,000,000 rows and 15 copies.
   */
  long diskBytes(ServerKind server, Set<String> names) {
    boolean isHBase = server == ServerKind.HBASE;
    long ofRows = names.contains(ROWS) ? rowsOf(ROWS) * (isHBase ? 3_600 : 2_200) : 0;
    long ofFlights = names.contains(FLIGHTS) ? rowsOf(FLIGHTS) * (isHBase ? 5_900 : 1_600) : 0;
    return ofRows + ofFlights;
  }

  /** Fills some of both tables of a server, and their small ones. */
  void load(MeasuredServer server, Set<String> names, Checkout checkout, Meter meter)
      throws ToolException, IOException, InterruptedException {
    for (String table : names) {
      if (table.equals(ROWS)) {
        meter.work(server, writers("sequentialWrite"));
        long few = (regions + CLIENTS - 1L) / CLIENTS; // in each region at least one
        meter.work(server, writers(smallOf(ROWS), few, "sequentialWrite"));
      } else {
        loadFlights(server, FLIGHTS, FlightCopies.ROWS, checkout, meter);
        loadFlights(server, smallOf(FLIGHTS), 1, checkout, meter);
      }
      for (String filled : List.of(table, smallOf(table))) {
        meter.compact(server, filled);
        snapshot(server, filled);
      }
    }
  }

  private void loadFlights(
      MeasuredServer server, String table, long perCopy, Checkout checkout, Meter meter)
      throws ToolException, IOException, InterruptedException {
    FlightTable.create(server, table, compression, starts());
    meter.work(server, FlightTable.copied(checkout, table, copies, perCopy));
  }

  /** Arguments for four clients that write the rows of 1 KB, in order or by chance. */
  List<String> writers(String command, String... more) {
    return writers(ROWS, rows / CLIENTS, command, more);
  }

  private List<String> writers(String table, long perClient, String command, String... more) {
    List<String> own =
        new ArrayList<>(
            List.of(
                "--table=" + table,
                "--rows=" + perClient,
                "--presplit=" + regions,
                "--splitPolicy=" + DisabledRegionSplitPolicy.class.getName(),
                "--compress=" + compression));
    own.addAll(List.of(more));
    own.addAll(List.of(command, String.valueOf(CLIENTS)));
    return PeCommand.arguments(own);
  }

  private byte[][] starts() {
    return IntStream.range(1, regions)
        .map(region -> region * copies / regions)
        .distinct()
        .filter(copy -> copy > 0)
        .mapToObj(copy -> Bytes.toBytes(FlightCopies.prefix(copy)))
        .toArray(byte[][]::new);
  }

  private static void snapshot(MeasuredServer server, String table) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      admin.snapshot(JobWork.snapshotOf(table), TableName.valueOf(table));
    }
  }
}
