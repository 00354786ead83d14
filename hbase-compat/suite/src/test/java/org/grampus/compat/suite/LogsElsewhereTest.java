package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * With {@code hbase.wal.dir} apart, what recovery needs is there for the server and for HBase's
 * master, which looks for sequence ids of regions there and leaves those of daughters.
 */
class LogsElsewhereTest {
  private static final Duration SERVE_MAX = Duration.ofMinutes(3);
  private static final TableName NAME = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");

  private Path directory;
  private ServerProcess server;

  @AfterEach
  void killServer() throws InterruptedException {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void aServerThatIsKilledComesBackWithAll() throws Exception {
    assumeTrue(SharedServer.kind() == ServerKind.GRAMPUS, "where Grampus keeps what it recovers");
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    directory = Files.createTempDirectory(Files.createDirectories(work), "elsewhere");
    String logs = directory.toAbsolutePath().resolve("wals").toUri().toString();
    server =
        new ServerProcess(
            ServerKind.GRAMPUS, directory, Ports.free(), Map.of("hbase.wal.dir", logs));
    serve();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      put(connection, "a");
      put(connection, "x");
    }
    server.kill();
    serve();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      assertEquals(List.of("a", "x"), rows(connection));
      byte[] parent = admin.getRegions(NAME).get(0).getRegionName();
      admin.splitRegionAsync(parent, Bytes.toBytes("m")).get(1, TimeUnit.MINUTES);
      put(connection, "b");
      put(connection, "y");
      for (RegionInfo daughter : admin.getRegions(NAME)) {
        assertTrue(hasSequenceId("wals", daughter), daughter::getEncodedName);
        assertFalse(hasSequenceId("hbase", daughter), daughter::getEncodedName);
      }
    }
    server.kill();
    serve();
    try (Connection connection = connect()) {
      assertEquals(List.of("a", "b", "x", "y"), rows(connection));
    }
  }

  private void serve() throws IOException, InterruptedException {
    server.start();
    server.awaitServing(SERVE_MAX);
  }

  private Connection connect() throws IOException {
    return ConnectionFactory.createConnection(server.clientConfiguration());
  }

  private static void put(Connection connection, String row) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
    }
  }

  private static List<String> rows(Connection connection) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private boolean hasSequenceId(String root, RegionInfo region) throws IOException {
    Path table = directory.resolve(root).resolve("data/default/t");
    Path edits = table.resolve(region.getEncodedName()).resolve("recovered.edits");
    if (!Files.exists(edits)) {
      return false;
    }
    try (Stream<Path> files = Files.list(edits)) {
      return files.anyMatch(file -> file.toString().endsWith(".seqid"));
    }
  }
}
