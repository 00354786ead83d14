package org.grampus.perf.pe.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.target.LastingServer;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;

/**
 * One standalone server for all tests of the module, started on first use, killed with the JVM.
 * With {@code -Dgrampus.compat.target=hbase} it is a stock HBase.
 */
final class PeServer {
  private static PeServer shared;

  private final ServerProcess process;
  private final Connection connection;

  private PeServer(ServerProcess process, Connection connection) {
    this.process = process;
    this.connection = connection;
  }

  static synchronized PeServer get() throws IOException, InterruptedException {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  private static PeServer start() throws IOException, InterruptedException {
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    ServerProcess process = LastingServer.start(kind(), work, Map.of());
    return new PeServer(process, ConnectionFactory.createConnection(process.clientConfiguration()));
  }

  /** Whether it is ours. */
  static boolean isGrampus() {
    return kind() == ServerKind.GRAMPUS;
  }

  private static ServerKind kind() {
    return ServerKind.of(System.getProperty("grampus.compat.target", "grampus"));
  }

  /** A connection for all tests. */
  Connection connection() {
    return connection;
  }

  /** What leads clients to it; the caller may change it. */
  Configuration configuration() {
    return process.clientConfiguration();
  }
}
