package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
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
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that dies when a procedure of the master is about to close a region goes on with it
 * after the next start. In a stock HBase the procedure and the recovery of the crashed server wait
 * for each other for ever.
 */
@Tag("long")
class KilledProcedureTest {
  private static final Duration SERVE_MAX = Duration.ofMinutes(1);
  private static final Duration END_MAX = Duration.ofSeconds(30);
  private static final TableName NAME = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] FIRST = Bytes.toBytes("a");
  private static final byte[] SECOND = Bytes.toBytes("z");

  private ServerProcess server;

  @BeforeEach
  void startServer() throws Exception {
    assumeTrue(SharedServer.kind() == ServerKind.GRAMPUS, "a stock HBase waits for ever");
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "procedure");
    server =
        new ServerProcess(
            ServerKind.GRAMPUS,
            directory,
            Ports.free(),
            Map.of("hbase.coprocessor.master.classes", HaltBeforeClose.class.getName()));
    server.environment(HaltBeforeClose.VARIABLE, "");
    server.start();
    server.awaitServing(SERVE_MAX);
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build(),
          new byte[][] {Bytes.toBytes("m")});
      table.put(new Put(FIRST).addColumn(F, F, F));
      table.put(new Put(SECOND).addColumn(F, F, F));
    }
  }

  @AfterEach
  void killServer() throws InterruptedException {
    if (server != null) {
      server.close();
    }
  }

  private void dieOfATruncation() throws Exception {
    Configuration impatient = server.clientConfiguration();
    impatient.setInt("hbase.client.retries.number", 0);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Admin admin = connection.getAdmin()) {
      admin.truncateRegion(admin.getRegions(NAME).get(0).getRegionName());
      assertEquals(1, server.awaitEnd(END_MAX), "the exit code of the halt");
    }
    server.environment(HaltBeforeClose.VARIABLE, null);
    server.start();
    server.awaitServing(SERVE_MAX);
  }

  @Test
  void aTruncationOfARegionIsCompleted() throws Exception {
    dieOfATruncation();
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Table table = connection.getTable(NAME);
        Admin admin = connection.getAdmin()) {
      // A second truncation waits for the first one.
      byte[] region = admin.getRegions(NAME).get(0).getRegionName();
      admin.truncateRegionAsync(region).get(60, TimeUnit.SECONDS);
      assertTrue(table.get(new Get(FIRST)).isEmpty(), "the first region is empty");
      assertEquals(1, table.get(new Get(SECOND)).size(), "the second region is as it was");
    }
  }
}
