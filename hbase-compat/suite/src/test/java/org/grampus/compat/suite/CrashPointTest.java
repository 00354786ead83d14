package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The daemon dies at a named point of the engine and comes back with everything that it had
 * acknowledged. All points meet one server and one table, so that each also finds what the crashes
 * before it left behind.
 */
@Tag("long")
class CrashPointTest {
  private static final String VARIABLE = "GRAMPUS_CRASH_POINT";
  private static final int EXIT_ABORTED = 128 + 6;
  private static final Duration SERVE_MAX = Duration.ofSeconds(60);
  private static final Duration STOP_MAX = Duration.ofSeconds(20);
  private static final Duration DIE_MAX = Duration.ofSeconds(30);

  private static ServerProcess server;
  private static CrashLoad load;

  @BeforeAll
  static void startServer() throws Exception {
    assumeTrue(SharedServer.kind() == ServerKind.GRAMPUS, "the points are our engine's");
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "crash");
    server = new ServerProcess(ServerKind.GRAMPUS, directory, Ports.free(), Map.of());
    serve(null);
    load = new CrashLoad();
    try (Connection connection = connect()) {
      load.createTable(connection);
    }
  }

  @AfterAll
  static void killServer() throws InterruptedException {
    if (server != null) {
      server.close();
    }
  }

  private static void serve(String point) throws IOException, InterruptedException {
    server.environment(VARIABLE, point);
    server.start();
    server.awaitServing(SERVE_MAX);
  }

  /** A client that gives up soon once the server is gone. */
  private static Connection connect() throws IOException {
    Configuration conf = server.clientConfiguration();
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("hbase.client.pause", 20);
    conf.setInt("hbase.rpc.timeout", 5_000);
    conf.setInt("hbase.client.operation.timeout", 10_000);
    conf.setInt("zookeeper.recovery.retry", 0);
    return ConnectionFactory.createConnection(conf);
  }

  private static void assertNothingIsLost() throws Exception {
    serve(null);
    Configuration patient = server.clientConfiguration();
    try (Connection connection = ConnectionFactory.createConnection(patient)) {
      load.check(connection);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ack.after_write_before_complete:300",
        "wal.rotate.after_create",
        "flush.after_rename",
        "compaction.after_rename_before_archive"
      })
  void aServerThatDiesWhileItServes(String point) throws Exception {
    // After a stop in order the start has nothing to replay, so that it does not reach the point.
    assertEquals(0, server.stop(STOP_MAX));
    runUntilItDies(point);
    assertFalse(server.isAlive(), point + " was never reached");
    assertEquals(EXIT_ABORTED, server.awaitEnd(DIE_MAX));
    assertTrue(load.acknowledged() > 0);
    assertNothingIsLost();
  }

  /**
   * Upkeep may reach the point before the first client does: a server that dies while it starts has
   * died there too.
   */
  private static void runUntilItDies(String point) throws Exception {
    try {
      serve(point);
      try (Connection connection = connect()) {
        load.run(connection, server);
      }
    } catch (IOException e) {
      if (server.isAlive()) {
        throw e;
      }
    }
  }

  @Test
  void aServerThatDiesWhileItRecovers() throws Exception {
    try (Connection connection = connect()) {
      load.putSome(connection);
    }
    server.close();
    server.environment(VARIABLE, "recovery.after_split_before_rename");
    server.start();
    assertEquals(EXIT_ABORTED, server.awaitEnd(DIE_MAX));
    assertNothingIsLost();
  }
}
