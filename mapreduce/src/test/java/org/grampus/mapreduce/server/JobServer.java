package org.grampus.mapreduce.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.target.LastingServer;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;

/** One standalone server for all tests of the module, started on first use, killed with the JVM. */
public final class JobServer {
  private static final String LEASE_KEY = "hbase.client.scanner.timeout.period";
  private static final int USUAL_LEASE_MILLIS = 60_000;

  /** How long the server keeps a scanner that no client asks; its clients are told otherwise. */
  static final int LEASE_MILLIS = 10_000;

  private static JobServer shared;

  private final ServerProcess process;
  private final Connection connection;

  private JobServer(ServerProcess process, Connection connection) {
    this.process = process;
    this.connection = connection;
  }

  /** The server, which is started first if it does not run yet. */
  public static synchronized JobServer get() throws IOException, InterruptedException {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  private static JobServer start() throws IOException, InterruptedException {
    Path work = Path.of(System.getProperty("grampus.mapreduce.work", "target/servers"));
    Map<String, String> settings = Map.of(LEASE_KEY, String.valueOf(LEASE_MILLIS));
    ServerProcess process = LastingServer.start(ServerKind.GRAMPUS, work, settings);
    return new JobServer(process, ConnectionFactory.createConnection(client(process)));
  }

  /** A connection for all tests. */
  public Connection connection() {
    return connection;
  }

  /** What leads clients to it. */
  public Configuration configuration() {
    return client(process);
  }

  private static Configuration client(ServerProcess process) {
    Configuration conf = process.clientConfiguration();
    conf.setInt(LEASE_KEY, USUAL_LEASE_MILLIS);
    return conf;
  }

  Path rootDir() {
    return process.rootDir();
  }
}
