package org.grampus.server.slowlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.LogType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.server.service.OperationObserver;
import org.grampus.server.testkit.LocalCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlowLogTest {
  private static final byte[] F = Bytes.toBytes("f");

  private final Configuration conf = HBaseConfiguration.create();
  private LocalCluster cluster;
  private Connection connection;
  private SlowLog log;

  private Table open() throws IOException {
    log = new SlowLog(conf);
    cluster = new LocalCluster(conf, List.of(log), OperationObserver.NONE);
    cluster.addRegion("", "");
    connection = ConnectionFactory.createConnection(cluster.clientConfiguration());
    return connection.getTable(LocalCluster.TABLE);
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
    cluster.close();
  }

  private void keepLargeReplies(int calls) {
    conf.setBoolean("hbase.regionserver.slowlog.buffer.enabled", true);
    conf.setInt("hbase.regionserver.slowlog.ringbuffer.size", calls);
    conf.setInt("hbase.ipc.warn.response.size", 1000);
  }

  private List<SlowLogPayload> ofTable(LogType type) {
    return log.find(
        SlowLogResponseRequest.newBuilder()
            .setLogType(type)
            .setTableName(LocalCluster.TABLE.getNameAsString() + ",")
            .setLimit(1000)
            .build());
  }

  @Test
  void textsOfClientsAreCutAndOldCallsGo() throws IOException {
    keepLargeReplies(3);
    try (Table table = open()) {
      byte[] row = new byte[20_000]; // each byte is four characters of text
      for (int i = 0; i < 5; i++) {
        row[0] = (byte) i;
        table.put(new Put(row).addColumn(F, F, new byte[2000]));
        table.get(new Get(row));
      }
    }
    List<SlowLogPayload> calls = log.all();
    assertEquals(3, calls.size());
    for (SlowLogPayload call : calls) {
      assertEquals("Get", call.getMethodName());
      assertEquals(SlowLogPayload.Type.LARGE_LOG, call.getType());
      assertEquals(4 << 10, call.getParam().length());
      assertTrue(call.getResponseSize() > 2000);
    }
    assertTrue(calls.get(0).getParam().contains("\\x04\\x00"), "the latest first");
    assertEquals(3, ofTable(LogType.LARGE_LOG).size());
    assertEquals(List.of(), ofTable(LogType.SLOW_LOG));
    assertTrue(log.clear());
    assertEquals(List.of(), log.all());
  }

  @Test
  void manyCallsTakeAFixedAmountOfMemory() throws IOException {
    keepLargeReplies(1 << 16);
    try (Table table = open()) {
      byte[] row = new byte[10_000];
      table.put(new Put(row).addColumn(F, F, new byte[2000]));
      for (int i = 0; i < 1200; i++) { // more than 4 MiB of texts
        table.get(new Get(row));
      }
    }
    long bytes = log.all().stream().mapToLong(SlowLogPayload::getSerializedSize).sum();
    assertTrue(bytes <= 4 << 20, bytes + " bytes");
    assertTrue(bytes > 3 << 20, bytes + " bytes");
  }

  @Test
  void nothingIsKeptUnlessAsked() throws IOException {
    conf.setInt("hbase.ipc.warn.response.size", 1000);
    try (Table table = open()) {
      table.put(new Put(F).addColumn(F, F, new byte[2000]));
      table.get(new Get(F));
    }
    assertEquals(List.of(), log.all());
    assertFalse(log.clear());
  }
}
