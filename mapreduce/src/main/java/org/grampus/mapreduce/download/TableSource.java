package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.grampus.mapreduce.columns.ReadSnapshot;
import org.grampus.mapreduce.command.Arguments;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The table that a command reads, and from where: options of the command. */
final class TableSource {
  @Parameters(
      paramLabel = "TABLE",
      description = "The table, with its namespace where it is not 'default'.")
  private String table;

  @Option(
      names = "--snapshot",
      paramLabel = "NAME",
      description =
          "A snapshot of the table. Default: one that is taken now and removed at the end.")
  private String snapshot;

  @Option(
      names = "--server",
      description =
          "Reads the live table through its region servers, of Grampus or of HBase; no snapshot.")
  private boolean throughServers;

  /** What a command does with the rows. */
  @FunctionalInterface
  interface Reading {
    /**
     * Reads them.
     *
     * @param snapshot that has them, or null where the region servers are asked for them
     * @return the command's exit code
     */
    int run(ReadSnapshot snapshot) throws IOException, InterruptedException;
  }

  /**
   * The table.
   *
   * @throws IllegalArgumentException when no table can have the name
   */
  TableName table() {
    return TableName.valueOf(table);
  }

  boolean namesSnapshot() {
    return snapshot != null;
  }

  boolean throughServers() {
    return throughServers;
  }

  /** Whether another run can read the same: a snapshot that a run takes for itself goes with it. */
  boolean outlivesRun() {
    return throughServers || snapshot != null;
  }

  ReaderKind reader() {
    return throughServers ? ReaderKind.TABLE : ReaderKind.SNAPSHOT;
  }

  /**
   * Refuses a live table without columns.
   *
   * @param areKnown whether the columns are known without a look at files
   * @throws IllegalArgumentException with a sentence
   */
  void requireColumns(boolean areKnown) {
    Arguments.require(
        !throughServers || areKnown,
        "--server needs --columns: only files say which columns there are");
  }

  /**
   * Reads all rows that are wanted. A snapshot that the user has not named is there for as long.
   *
   * @param conf without a limit of rows then, and with the snapshot as its input
   * @param reader whose name becomes part of that of a snapshot which is taken
   * @param warnings is told a sentence when such a snapshot cannot be removed
   * @return the command's exit code
   * @throws IllegalArgumentException when a key of the configuration cannot be meant so
   * @throws IOException when there is no such snapshot, or none can be taken
   */
  int read(Configuration conf, String reader, Consumer<String> warnings, Reading reading)
      throws IOException, InterruptedException {
    conf.unset(HBaseKeys.ROW_LIMIT); // a part of each split is no table
    ScanSettings.requireValid(conf, reader()); // before a snapshot is taken
    if (throughServers) {
      return reading.run(null);
    }
    try (ReadSnapshot read = ReadSnapshot.open(conf, table(), snapshot, reader, warnings)) {
      return reading.run(read);
    }
  }
}
