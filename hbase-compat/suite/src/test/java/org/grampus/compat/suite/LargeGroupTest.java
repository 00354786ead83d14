package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
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
 * A group of more increments than a count of 16 bits holds is applied and survives. HBase refuses
 * it, and then it leaves nothing. In both cases the server starts again with everything else.
 */
@Tag("long")
class LargeGroupTest {
  private static final Duration SERVE_MAX = Duration.ofMinutes(2);
  private static final int INCREMENTS = 70_000;

  private static final TableName TABLE = TableName.valueOf("groups");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] GROUP = Bytes.toBytes("group");
  private static final byte[] OTHER = Bytes.toBytes("other");

  private ServerProcess server;

  @BeforeEach
  void startServer() throws Exception {
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "group");
    server = new ServerProcess(SharedServer.kind(), directory, Ports.free(), Map.of());
    server.start();
    server.awaitServing(SERVE_MAX);
  }

  @AfterEach
  void killServer() throws InterruptedException {
    server.close();
  }

  private Connection connect() throws IOException {
    Configuration conf = server.clientConfiguration();
    conf.setInt("hbase.client.retries.number", 3);
    return ConnectionFactory.createConnection(conf);
  }

  @Test
  void aGroupOfSeventyThousandIncrementsIsAllOrNothingAfterACrash() throws Exception {
    boolean applied;
    try (Connection connection = connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      applied = isApplied(table);
      assertTrue(applied || SharedServer.kind() == ServerKind.HBASE, "increments have no limit");
      table.put(new Put(OTHER).addColumn(F, F, OTHER));
    }
    server.kill();
    server.start();
    server.awaitServing(SERVE_MAX);
    try (Connection connection = connect();
        Table table = connection.getTable(TABLE)) {
      assertEquals("other", Bytes.toString(table.get(new Get(OTHER)).getValue(F, F)));
      Result group = table.get(new Get(GROUP));
      assertEquals(applied ? INCREMENTS : 0, group.size());
      if (applied) {
        for (Cell cell : group.rawCells()) {
          assertEquals(1, Bytes.toLong(CellUtil.cloneValue(cell)));
        }
      }
    }
  }

  /** False when the server refuses the group as a whole. */
  private static boolean isApplied(Table table) throws IOException {
    List<Mutation> increments = new ArrayList<>();
    for (int n = 0; n < INCREMENTS; n++) {
      increments.add(new Increment(GROUP).addColumn(F, Bytes.toBytes(n), 1));
    }
    try {
      table.mutateRow(RowMutations.of(increments));
      return true;
    } catch (IOException e) {
      assertTrue(table.get(new Get(GROUP)).isEmpty(), "a refused group leaves nothing");
      return false;
    }
  }
}
