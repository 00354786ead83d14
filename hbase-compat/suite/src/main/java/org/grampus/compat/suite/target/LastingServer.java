package org.grampus.compat.suite.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A server with a connection for all tests of a module: started on first use, killed with the JVM.
 * Any thread.
 */
public final class LastingServer {
  private static final Duration START_MAX = Duration.ofMinutes(2);

  private final ServerKind kind;
  private final Path work;
  private final Map<String, String> settings;
  private final Map<String, String> ofClients;

  private ServerProcess process;
  private Connection connection;

  /**
   * A server that is not started yet.
   *
   * @param work below which it gets a directory of its own
   * @param settings of the server and its clients
   * @param ofClients settings that its clients have instead
   */
  public LastingServer(
      ServerKind kind, Path work, Map<String, String> settings, Map<String, String> ofClients) {
    this.kind = kind;
    this.work = work;
    this.settings = settings;
    this.ofClients = ofClients;
  }

  /**
   * The server, which serves.
   *
   * @throws IOException when it does not serve within two minutes
   */
  public synchronized ServerProcess process() throws IOException, InterruptedException {
    if (process == null) {
      process = start();
    }
    return process;
  }

  /** What leads clients to it; the caller may change it. */
  public Configuration configuration() throws IOException, InterruptedException {
    Configuration conf = process().clientConfiguration();
    ofClients.forEach(conf::set);
    return conf;
  }

  /** A connection for all tests. */
  public synchronized Connection connection() throws IOException, InterruptedException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(configuration());
    }
    return connection;
  }

  private ServerProcess start() throws IOException, InterruptedException {
    String prefix = kind.name().toLowerCase(Locale.ROOT);
    Path directory = Files.createTempDirectory(Files.createDirectories(work), prefix);
    ServerProcess started = new ServerProcess(kind, directory, Ports.free(), settings);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> killQuietly(started)));
    started.start();
    started.awaitServing(START_MAX);
    return started;
  }

  private static void killQuietly(ServerProcess process) {
    try {
      process.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
