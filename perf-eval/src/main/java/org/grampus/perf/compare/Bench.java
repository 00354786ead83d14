package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.MajorCompact;
import org.grampus.perf.process.MeasuredServer;

/** Where a comparison works. Any thread. */
public final class Bench {
  private final Checkout checkout;
  private final Path work;
  private final Sizes sizes;
  private final Consumer<String> notes;
  private int paths;

  /**
   * A bench.
   *
   * @param work a directory for reports and the output of clients
   * @param notes says how far it is
   */
  public Bench(Checkout checkout, Path work, Sizes sizes, Consumer<String> notes) {
    this.checkout = checkout;
    this.work = work;
    this.sizes = sizes;
    this.notes = notes;
  }

  Checkout checkout() {
    return checkout;
  }

  /** How much data tables have. */
  public Sizes sizes() {
    return sizes;
  }

  void note(String sentence) {
    notes.accept(sentence);
  }

  /** A file or directory that is not there yet. */
  synchronized Path newPath() {
    paths++;
    return work.resolve("path-" + paths);
  }

  /**
   * Runs a client, which is {@code bin/grampus} with these arguments, to its end; or until the
   * server's.
   */
  ClientRun run(MeasuredServer server, List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    return run(server.client(arguments));
  }

  /** Runs a client to its end. */
  ClientRun run(ClientProgram client) throws ToolException, IOException, InterruptedException {
    return client.run(newPath());
  }

  /** Flushes a table, compacts it into one file, and awaits that the server is idle. */
  void compact(MeasuredServer server, String table)
      throws ToolException, IOException, InterruptedException {
    MajorCompact.compact(server.clientConfiguration(), TableName.valueOf(table));
    server.awaitIdle();
  }

  /** Turns compactions of a table off, so that it keeps the files that it gets. */
  void disableCompactions(MeasuredServer server, String table) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      TableDescriptor current = admin.getDescriptor(TableName.valueOf(table));
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(current).setCompactionEnabled(false).build());
    }
  }

  /** Flushes a table. */
  void flush(MeasuredServer server, String table) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      admin.flush(TableName.valueOf(table));
    }
  }

  /** Drops a table, and awaits that the server is idle. */
  void drop(MeasuredServer server, String table)
      throws ToolException, IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      admin.disableTable(TableName.valueOf(table));
      admin.deleteTable(TableName.valueOf(table));
    }
    server.awaitIdle();
  }
}
