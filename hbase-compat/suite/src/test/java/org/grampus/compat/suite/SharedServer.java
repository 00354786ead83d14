package org.grampus.compat.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.target.LastingServer;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;

/**
 * One server of the kind under test for all classes of the run, started on first use and killed
 * with the JVM.
 */
final class SharedServer {
  // Compacted files that hold references go away soon, the client leaves the check of a cell's size
  // to the server, and a stock server learns of the live servers soon after its start.
  private static final Map<String, String> SETTINGS =
      Map.of(
          "hbase.hfile.compaction.discharger.interval",
          "500",
          "hbase.client.keyvalue.maxsize",
          "0",
          "hbase.server.bootstrap.request_master_min_interval.secs",
          "1");

  private static SharedServer shared;

  private final ServerProcess process;
  private final Connection connection;

  private SharedServer(ServerProcess process, Connection connection) {
    this.process = process;
    this.connection = connection;
  }

  static ServerKind kind() {
    return ServerKind.of(System.getProperty("grampus.compat.target", "grampus"));
  }

  static synchronized SharedServer get() throws IOException, InterruptedException {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  private static SharedServer start() throws IOException, InterruptedException {
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    ServerProcess process = LastingServer.start(kind(), work, SETTINGS);
    return new SharedServer(
        process, ConnectionFactory.createConnection(process.clientConfiguration()));
  }

  Connection connection() {
    return connection;
  }

  ServerProcess process() {
    return process;
  }
}
