package org.grampus.perf.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A client that scans a whole table several times, with the client's own size of replies. */
@Command(name = "table-scans", mixinStandardHelpOptions = true)
public final class TableScans implements Callable<Integer> {
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;
  private static final long NANOS_OF_MICRO = 1000;

  @Option(names = "--rows", required = true, description = "Rows of the table.")
  private long rows;

  @Option(names = "--scans", required = true, description = "How many scans.")
  private long scans;

  @Option(names = "--columns", split = ",", description = "F:Q,...; default: all")
  private List<String> columns = List.of();

  @Option(names = "--filter", description = "In HBase's filter language.")
  private String filter;

  @Option(names = "--report", required = true, description = "Where figures go as JSON.")
  private Path report;

  @Parameters(paramLabel = "TABLE")
  private String table;

  private final Histogram micros = new Histogram(DIGITS);

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new TableScans()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Table opened = connection.getTable(TableName.valueOf(table))) {
      Scan scan = scan();
      long found = 0;
      long begun = System.nanoTime();
      for (long number = 0; number < scans; number++) {
        found += count(opened, new Scan(scan));
      }
      double seconds = (System.nanoTime() - begun) / NANOS;
      ClientFigures.of(rows * scans, seconds, micros, 0, found).write(report);
    }
    return CommandLine.ExitCode.OK;
  }

  private Scan scan() throws Exception {
    Scan scan = new Scan();
    for (String column : columns) {
      byte[][] parts = CellUtil.parseColumn(Bytes.toBytes(column));
      scan.addColumn(parts[0], parts[1]);
    }
    if (filter != null) {
      scan.setFilter(new ParseFilter().parseFilterString(filter));
    }
    return scan;
  }

  /** The latency is that of the call that gets a row, which now and then waits for a reply. */
  private long count(Table opened, Scan scan) throws IOException {
    long found = 0;
    try (ResultScanner scanner = opened.getScanner(scan)) {
      long before = System.nanoTime();
      while (scanner.next() != null) {
        long now = System.nanoTime();
        micros.recordValue((now - before) / NANOS_OF_MICRO);
        before = now;
        found++;
      }
    }
    return found;
  }
}
