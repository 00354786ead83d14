package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A standalone server with the pages of its master and of its region server. */
class StandalonePagesTest {
  private static final Duration SERVE_MAX = Duration.ofMinutes(2);
  private static final long SHOWN_MAX_MILLIS = 60_000;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static ServerProcess server;
  private static int masterPort;
  private static int serverPort;

  @BeforeAll
  static void start() throws Exception {
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "pages");
    try (ServerSocket ofMaster = new ServerSocket(0);
        ServerSocket ofServer = new ServerSocket(0)) {
      masterPort = ofMaster.getLocalPort();
      serverPort = ofServer.getLocalPort();
    }
    server =
        new ServerProcess(
            SharedServer.kind(),
            directory,
            Ports.free(),
            Map.of(
                "hbase.master.info.port",
                String.valueOf(masterPort),
                "hbase.regionserver.info.port",
                String.valueOf(serverPort)));
    server.start();
    server.awaitServing(SERVE_MAX);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private static String get(int port, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
    HttpResponse<String> reply = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, reply.statusCode(), path + ": " + reply.body());
    return reply.body();
  }

  @Test
  void bothPagesAreServed() throws Exception {
    assertTrue(get(masterPort, "/master-status").contains("Region Servers"));
    assertTrue(get(serverPort, "/rs-status").contains("Regions"));
    assertTrue(get(masterPort, "/prometheus").contains("server_region_count"));
    assertTrue(get(serverPort, "/prometheus").contains("server_region_count"));
  }

  @Test
  void theMastersPageLeadsToThatOfTheServer() throws Exception {
    assertTrue(get(masterPort, "/master-status").contains(":" + serverPort + "/rs-status"));
  }

  /** Master and region server share one metrics system, which numbers names that come twice. */
  @Test
  void eachBeanIsThereOnce() throws Exception {
    Pattern names =
        Pattern.compile(
            "\"name\"\\s*:\\s*\"Hadoop:service=HBase,name=(RegionServer,sub=(?:WAL|IO)[^\"]*)");
    writeAFile();
    List<String> found;
    long deadline = System.currentTimeMillis() + SHOWN_MAX_MILLIS;
    do { // HBase takes all beans away and brings them back when regions come
      found =
          names.matcher(get(serverPort, "/jmx")).results().map(StandalonePagesTest::name).toList();
    } while (found.size() < 2 && System.currentTimeMillis() < deadline);
    assertEquals(
        List.of("RegionServer,sub=IO", "RegionServer,sub=WAL"), found.stream().sorted().toList());
  }

  /** HBase makes the bean of files when the first one is written or read. */
  private static void writeAFile() throws IOException {
    TableName table = TableName.valueOf("pages");
    byte[] family = Bytes.toBytes("f");
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .build());
      try (Table rows = connection.getTable(table)) {
        rows.put(new Put(family).addColumn(family, family, family));
      }
      admin.flush(table);
    }
  }

  private static String name(MatchResult result) {
    return result.group(1);
  }
}
