package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator sees of {@code grampus standalone}: its refusals, its stop and its restart. */
class DaemonTest {
  private static final Duration SERVE_MAX = Duration.ofSeconds(60);
  private static final Duration REFUSE_MAX = Duration.ofSeconds(30);
  private static final Duration STOP_MAX = Duration.ofSeconds(10);

  private static final TableName TABLE = TableName.valueOf("kept");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");

  private final List<ServerProcess> servers = new ArrayList<>();
  private Path work;

  @BeforeEach
  void makeDirectory() throws IOException {
    assumeTrue(SharedServer.kind() == ServerKind.GRAMPUS, "about our own daemon");
    work =
        Files.createTempDirectory(
            Files.createDirectories(
                Path.of(System.getProperty("grampus.compat.work", "target/servers"))),
            "daemon");
  }

  @AfterEach
  void killServers() throws InterruptedException {
    for (ServerProcess server : servers) {
      server.close();
    }
  }

  private ServerProcess server(String name, Ports ports, Map<String, String> settings) {
    ServerProcess server =
        new ServerProcess(ServerKind.GRAMPUS, work.resolve(name), ports, settings);
    server.logging(Path.of(System.getProperty("grampus.compat.server.logging")));
    servers.add(server);
    return server;
  }

  private ServerProcess server(String name, Map<String, String> settings) {
    return server(name, Ports.free(), settings);
  }

  /** The daemon says this sentence, and no other word of failure, and ends with code 1. */
  private static void assertRefuses(ServerProcess server, String sentence) throws Exception {
    server.start();
    int code = server.awaitEnd(REFUSE_MAX);
    List<String> lines = Files.readAllLines(server.log());
    assertEquals(1, code, lines.toString());
    assertEquals(
        List.of("grampus: " + sentence),
        lines.stream().filter(line -> line.startsWith("grampus: ")).toList(),
        lines.toString());
    assertTrue(
        lines.stream().noneMatch(line -> line.contains("Exception") || line.contains("ERROR")),
        lines.toString());
  }

  @Test
  void aTakenPort() throws Exception {
    Ports ports = Ports.free();
    Map<String, Integer> keys =
        Map.of(
            HConstants.REGIONSERVER_PORT, ports.regionServer(),
            HConstants.MASTER_PORT, ports.master(),
            HConstants.ZOOKEEPER_CLIENT_PORT, ports.zooKeeper());
    for (Map.Entry<String, Integer> key : keys.entrySet()) {
      int port = key.getValue();
      try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertRefuses(
            server(key.getKey(), ports, Map.of()),
            "port "
                + taken.getLocalPort()
                + " on 127.0.0.1 ("
                + key.getKey()
                + ") is taken; stop what uses it or set "
                + key.getKey());
      }
    }
  }

  @Test
  void aTakenInfoPort() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerProcess server =
          server(
              "info",
              Map.of(HConstants.REGIONSERVER_INFO_PORT, String.valueOf(taken.getLocalPort())));
      server.start();
      assertEquals(1, server.awaitEnd(SERVE_MAX));
      String sentence =
          "port "
              + taken.getLocalPort()
              + " on 127.0.0.1 (hbase.regionserver.info.port) cannot be bound (Address already in"
              + " use); stop what uses it, set hbase.regionserver.info.port, or set"
              + " hbase.regionserver.info.port.auto to true";
      List<String> lines = Files.readAllLines(server.log());
      assertEquals(
          List.of("grampus: Grampus cannot start on " + server.rootDir() + ": " + sentence),
          lines.stream().filter(line -> line.startsWith("grampus: ")).toList(),
          lines.toString());
    }
  }

  @Test
  void thePagesOfMasterAndServer() throws Exception {
    int masterPort = Ports.free().master();
    ServerProcess server =
        server(
            "pages",
            Map.of(
                HConstants.REGIONSERVER_INFO_PORT,
                "0",
                HConstants.REGIONSERVER_METRICS_PERIOD,
                "100",
                HConstants.MASTER_INFO_PORT,
                String.valueOf(masterPort)));
    server.start();
    server.awaitServing(SERVE_MAX);
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      ServerName name = admin.getRegionServers().iterator().next();
      int port = admin.getClusterMetrics().getLiveServerMetrics().get(name).getInfoServerPort();
      String status = page(port, "/rs-status");
      long deadline = System.nanoTime() + SERVE_MAX.toNanos();
      while (!status.contains("hbase:meta") && System.nanoTime() - deadline < 0) {
        Thread.sleep(50); // the page shows the latest snapshot
        status = page(port, "/rs-status");
      }
      assertTrue(status.contains("<h1>" + name + "</h1>"), status);
      assertTrue(status.contains("hbase:meta"), status);
      String master = page(masterPort, "/master-status");
      assertTrue(master.contains("//localhost:" + port + "/rs-status"), master);
    }
  }

  private static String page(int port, String path) throws IOException {
    try (InputStream in = new URL("http://localhost:" + port + path).openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aForeignDirectory() throws Exception {
    ServerProcess server = server("foreign", Map.of());
    Path foreign = Files.createDirectories(server.rootDir()).resolve("thesis.tex");
    Files.writeString(foreign, "not to be touched");
    assertRefuses(
        server,
        "hbase.rootdir "
            + server.rootDir()
            + " holds files that Grampus did not write; give an empty directory or one that"
            + " Grampus made");
    assertEquals("not to be touched", Files.readString(foreign));
  }

  @Test
  void aPathThatCannotBeADirectory() throws Exception {
    Path root = Files.createFile(work.resolve("file")).resolve("hbase");
    assertRefuses(
        server("below", Map.of(HConstants.HBASE_DIR, root.toUri().toString())),
        "cannot write to hbase.rootdir " + root + ": Not a directory");
  }

  @Test
  void aFileSystemThatTakesNoFiles() throws Exception {
    Path root = Path.of("/proc/grampus");
    assumeTrue(Files.isDirectory(root.getParent()), "there is a /proc");
    assertRefuses(
        server("proc", Map.of(HConstants.HBASE_DIR, root.toUri().toString())),
        "cannot write to hbase.rootdir " + root + ": No such file or directory");
  }

  @Test
  @KnownGap("Storage: a standalone server on another file system than a local one")
  void aFileSystemOfACluster() throws Exception {
    assertRefuses(
        server("cluster", Map.of(HConstants.HBASE_DIR, "hdfs://namenode/hbase")),
        "hbase.rootdir is hdfs://namenode/hbase, but a standalone server keeps its data on the"
            + " local file system; give a file: path");
  }

  @Test
  @KnownGap("Storage: object stores (`s3a:`, `abfs:`, `gs:`), Ozone, `webhdfs:`")
  void anObjectStore() throws Exception {
    for (String key : List.of(HConstants.HBASE_DIR, CommonFSUtils.HBASE_WAL_DIR)) {
      ServerProcess server = server(key, Map.of(key, "s3a://bucket/hbase"));
      server.withoutMaster();
      assertRefuses(
          server,
          "the region server cannot start: "
              + key
              + " is s3a://bucket/hbase, and files of a region server cannot be there: a log needs"
              + " flushes that last and leases that can be recovered, column files need creates and"
              + " renames that are one step and replace nothing. Name a directory on HDFS in "
              + key);
    }
  }

  @Test
  @KnownGap("Storage: log splitting coordinated by ZooKeeper (`hbase.split.wal.zk.coordinated`)")
  void logSplittingByZooKeeper() throws Exception {
    String key = "hbase.split.wal.zk.coordinated";
    ServerProcess server = server(key, Map.of(key, "true"));
    server.withoutMaster();
    assertRefuses(
        server,
        key
            + " is true, but this server splits logs by the master's procedures alone, without which"
            + " no dead server would be recovered; set it to false, also at the master");
  }

  @Test
  void aStoppedServerEndsWithCode0AndServesItsDataAgain() throws Exception {
    ServerProcess server = server("kept", Map.of());
    server.start();
    server.awaitServing(SERVE_MAX);
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      table.put(new Put(ROW).addColumn(FAMILY, ROW, ROW));
    }
    refuseASecondServer(server);
    assertEquals(0, server.stop(STOP_MAX), "see " + server.log());

    server.start();
    server.awaitServing(SERVE_MAX);
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Table table = connection.getTable(TABLE)) {
      assertArrayEquals(ROW, table.get(new Get(ROW)).getValue(FAMILY, ROW));
    }
    assertEquals(0, server.stop(STOP_MAX), "see " + server.log());
  }

  private void refuseASecondServer(ServerProcess first) throws Exception {
    assertRefuses(
        server("second", Map.of(HConstants.HBASE_DIR, first.rootDir().toUri().toString())),
        "hbase.rootdir "
            + first.rootDir()
            + " is in use by another Grampus; stop it or give another directory");
    assertTrue(first.isAlive());
  }
}
