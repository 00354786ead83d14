package org.grampus.perf.scan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Writes the demo's table several times over, so that it is large: the key of a copy begins with
 * its number. Each copy is in order, as if years of flights had been written one after the other.
 */
@Command(name = "flight-copies", mixinStandardHelpOptions = true)
public final class FlightCopies implements Callable<Integer> {
  /** The family of all columns. */
  public static final String FAMILY = "f";

  /** Rows of a copy. */
  public static final long ROWS = 336_776;

  private static final List<String> KEY =
      List.of("year", "month", "day", "carrier", "flight", "origin", "sched_dep_time");

  @Option(names = "--copies", required = true)
  private int copies;

  @Option(
      names = "--rows",
      defaultValue = "" + ROWS,
      description = "Rows of each copy, the first ones. Default: all")
  private long rows;

  @Parameters(index = "0", paramLabel = "FILE", description = "flights.csv.gz")
  private Path file;

  @Parameters(index = "1", paramLabel = "TABLE", description = "A table with the family f.")
  private String table;

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new FlightCopies()).execute(args));
  }

  /** What the keys of a copy begin with: two digits, so that regions can be cut between copies. */
  public static String prefix(int copy) {
    return String.valueOf(100 + copy).substring(1) + "|";
  }

  @Override
  public Integer call() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        BufferedMutator mutator = connection.getBufferedMutator(TableName.valueOf(table))) {
      for (int copy = 0; copy < copies; copy++) {
        write(copy, mutator);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void write(int copy, BufferedMutator mutator) throws IOException {
    CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).build();
    try (BufferedReader text =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8));
        CSVParser lines = format.parse(text)) {
      List<String> names = lines.getHeaderNames();
      Iterator<CSVRecord> line = lines.iterator();
      for (long row = 0; row < rows && line.hasNext(); row++) {
        mutator.mutate(put(copy, names, line.next()));
      }
    }
  }

  private static Put put(int copy, List<String> names, CSVRecord line) {
    String key = KEY.stream().map(line::get).collect(Collectors.joining("|", prefix(copy), ""));
    Put put = new Put(Bytes.toBytes(key));
    byte[] family = Bytes.toBytes(FAMILY);
    for (String name : names) {
      String value = line.get(name);
      if (!value.isEmpty()) {
        put.addColumn(family, Bytes.toBytes(name), Bytes.toBytes(value));
      }
    }
    return put;
  }
}
