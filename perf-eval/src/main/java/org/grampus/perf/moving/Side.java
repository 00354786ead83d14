package org.grampus.perf.moving;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.MajorCompact;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;

/**
 * A server that tables move from or to, with its operator's connection and tools. For one thread.
 */
public final class Side implements AutoCloseable {
  private static final long HEAP_MB = 1024;

  private final MeasuredServer server;
  private final Connection connection;
  private final Path work;
  private int tools;

  private Side(MeasuredServer server, Path work) throws IOException {
    this.server = server;
    this.work = work;
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
    Path work = Files.createDirectories(place.resolve(name + "-tools"));
    MeasuredServer server =
        MeasuredServer.start(checkout, place.resolve(name), ServerPlan.of(kind).heapMb(HEAP_MB));
    try {
      return new Side(server, work);
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
    return work.resolve(name);
  }

  /**
   * Runs a tool of HBase in the local job runner, configured for this server; returns what it has
   * printed.
   *
   * @param other the other server, which the tool may use as well
   * @throws ToolException when it fails, or a server has ended
   */
  String run(Side other, String tool, List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    return program(tool, arguments, () -> runs() && other.runs()).run(log(tool)).output();
  }

  private ClientProgram program(String tool, List<String> arguments, BooleanSupplier serversRun) {
    List<String> command = new ArrayList<>();
    command.add("run");
    command.add("org.apache.hadoop.hbase.mapreduce." + tool);
    command.addAll(arguments);
    return server
        .client(command)
        .in(work)
        .environment("GRAMPUS_CLIENT_OPTS", ClientProgram.SMALL_JVM)
        .environment("GRAMPUS_DATA_DIR", work.toString())
        .whileRuns(serversRun);
  }

  private Path log(String tool) {
    tools++;
    return work.resolve(String.format(Locale.ROOT, "%02d-%s.log", tools, tool));
  }

  private boolean runs() {
    return server.runs();
  }

  /** Flushes and major-compacts a table. */
  void compact(TableName table) throws ToolException, IOException, InterruptedException {
    MajorCompact.compact(server.clientConfiguration(), table);
  }

  /** Ends the server in order. */
  public void stop() throws ToolException, IOException, InterruptedException {
    connection.close();
    server.stop();
  }

  /** Ends it. */
  @Override
  public void close() {
    try (server) {
      connection.close();
    } catch (IOException e) {
      // the server goes in any case
      return;
    }
  }

  @Override
  public String toString() {
    return server.toString();
  }
}
