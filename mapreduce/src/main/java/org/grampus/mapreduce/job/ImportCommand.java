package org.grampus.mapreduce.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code grampus import}: a CSV file into a table. */
@Command(
    name = "import",
    description =
        "Imports a CSV file (plain or .gz, with a header line) into a table, which is created when it is missing.",
    mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE", description = "The file to import.")
  private Path file;

  @Parameters(
      index = "1",
      paramLabel = "TABLE",
      description = "The table, with its namespace where it is not 'default'.")
  private String table;

  @Option(
      names = "--key",
      required = true,
      split = ",",
      description = "Columns that make the row key, in order.")
  private List<String> key;

  @Option(
      names = "--key-separator",
      defaultValue = "|",
      description = "Between key columns. Default: ${DEFAULT-VALUE}")
  private String keySeparator;

  @Option(
      names = "--family",
      defaultValue = "f",
      description = "The column family. Default: ${DEFAULT-VALUE}")
  private String family;

  @Option(names = "--quiet", description = "Shows no progress.")
  private boolean quiet;

  @Option(
      names = "-D",
      paramLabel = "key=value",
      description = "Sets a configuration key of the client; may be repeated.")
  private final Map<String, String> overrides = new LinkedHashMap<>();

  /** Runs the import; the exit code is 0 when every row was acknowledged. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new ImportCommand()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    if (!Files.isReadable(file)) {
      System.err.println("grampus: cannot read " + file);
      return CommandLine.ExitCode.SOFTWARE;
    }
    Configuration conf = HBaseConfiguration.create();
    overrides.forEach(conf::set);
    TableName name = TableName.valueOf(table);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      createIfMissing(connection, name);
      CsvImport.Report report =
          new CsvImport(connection, !quiet).run(file, name, family, key, keySeparator);
      System.out.printf(
          "imported %,d rows, %,d cells into %s in %.1f s%n",
          report.rows(), report.cells(), name, report.millis() / 1000.0);
      return CommandLine.ExitCode.OK;
    } catch (ImportException e) {
      System.err.println("grampus: " + file + ": " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private void createIfMissing(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
                .build());
      }
    }
  }
}
