package org.grampus.perf.migration;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.MajorCompact;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;

/** A server of a migration, with its operator's connection and tools. For one thread. */
public final class Side implements AutoCloseable {
  private static final long HEAP_MB = 1024;

  private final MeasuredServer server;
  private final Connection connection;
  private final HBaseTools tools;

  private Side(MeasuredServer server, Path work) throws IOException {
    this.server = server;
    tools = new HBaseTools(server, work);
    connection = ConnectionFactory.createConnection(server.clientConfiguration());
  }

  /**
   * Starts a server.
   *
   * @param place its directory and that of its tools go below it
   */
  public static Side start(Checkout checkout, Path place, ServerKind kind)
      throws ToolException, IOException, InterruptedException {
    String name = kind.name().toLowerCase(Locale.ROOT);
    MeasuredServer server =
        MeasuredServer.start(checkout, place.resolve(name), ServerPlan.of(kind).heapMb(HEAP_MB));
    try {
      return new Side(server, place.resolve(name + "-tools"));
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** The operator's connection. */
  Connection connection() {
    return connection;
  }

  /** A new connection, for an application. */
  Connection connect() throws IOException {
    return ConnectionFactory.createConnection(server.clientConfiguration());
  }

  Table table(TableName name) throws IOException {
    return connection.getTable(name);
  }

  /** Its quorum, port and directory in ZooKeeper, as tools take them for another cluster's. */
  String clusterKey() {
    return ZKConfig.getZooKeeperClusterKey(server.clientConfiguration());
  }

  /** Its root directory, as a URI. */
  String rootDir() {
    return server.rootDir().toUri().toString();
  }

  /** A place for files between tools, which is not there yet. */
  Path files(String name) {
    return tools.files(name);
  }

  /**
   * Runs a tool of HBase, configured for this server; returns what it has printed.
   *
   * @param other the other server, which the tool may use as well
   * @throws ToolException when it fails, or a server has ended
   */
  String run(Side other, String tool, List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    return tools.run(tool, arguments, () -> server.runs() && other.server.runs());
  }

  /** {@code alter 't', COMPACTION_ENABLED => …} */
  void setCompactions(TableName table, boolean on) throws IOException {
    alter(table, descriptor -> descriptor.setCompactionEnabled(on));
  }

  /** {@code alter 't', READONLY => …} */
  void setReadOnly(TableName table, boolean on) throws IOException {
    alter(table, descriptor -> descriptor.setReadOnly(on));
  }

  private void alter(TableName table, Consumer<TableDescriptorBuilder> change) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptorBuilder descriptor =
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table));
      change.accept(descriptor);
      admin.modifyTable(descriptor.build());
    }
  }

  /**
   * Tries to write.
   *
   * @throws ToolException when the write is not refused
   */
  void requireRefusedWrite(TableName name) throws ToolException, IOException {
    try (Table table = table(name)) {
      table.put(
          new Put(Bytes.toBytes("refused")).addColumn(TableShape.F, new byte[0], new byte[0]));
    } catch (DoNotRetryIOException refusal) {
      if (!String.valueOf(refusal.getMessage()).contains("read only")) {
        throw refusal;
      }
      return;
    }
    throw new ToolException(this + " takes a write to " + name + ", which is READONLY");
  }

  /** Writes what is in memory to files. */
  void flush(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
    }
  }

  /** Flushes and major-compacts a table, whose compactions must be on. */
  void compact(TableName table) throws ToolException, IOException, InterruptedException {
    MajorCompact.compact(server.clientConfiguration(), table);
  }

  /** Ends the server in order. */
  public void stop() throws ToolException, IOException, InterruptedException {
    connection.close();
    server.stop();
  }

  /** Kills the server, also where the connection does not close. */
  @Override
  public void close() throws IOException {
    try (server) {
      connection.close();
    }
  }

  @Override
  public String toString() {
    return server.toString();
  }
}
