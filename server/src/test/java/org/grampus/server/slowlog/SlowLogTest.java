package org.grampus.server.slowlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SlowLogParams;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.LogType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.server.service.OperationObserver;
import org.grampus.server.testkit.CapturedLog;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlowLogTest {
  private static final byte[] F = Bytes.toBytes("f");

  private static final long WAIT_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Configuration conf = HBaseConfiguration.create();
  private LocalCluster cluster;
  private Connection connection;
  private SlowLog log;
  private InjectedRegion region;

  private Table open() throws IOException {
    log = new SlowLog(conf);
    cluster = new LocalCluster(conf, List.of(log), OperationObserver.NONE);
    region = cluster.addRegion("", "");
    connection = ConnectionFactory.createConnection(cluster.clientConfiguration());
    return connection.getTable(LocalCluster.TABLE);
  }

  @AfterEach
  void close() throws IOException {
    if (cluster != null) {
      connection.close();
      cluster.close();
    }
  }

  private void keepLargeReplies(int calls) {
    conf.setBoolean("hbase.regionserver.slowlog.buffer.enabled", true);
    conf.setInt("hbase.regionserver.slowlog.ringbuffer.size", calls);
    conf.setInt("hbase.ipc.warn.response.size", 1000);
  }

  /** Takes longer than the limit, which is 0 ms. */
  private static void takeLong() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 3_000_000) {
      Thread.onSpinWait();
    }
  }

  private void keepSlowCalls() {
    keepLargeReplies(100);
    conf.setInt("hbase.ipc.warn.response.time", 0);
    conf.setInt("hbase.ipc.warn.response.time.scan", -1);
  }

  private SlowLogPayload only(Predicate<SlowLogPayload> which) {
    await(() -> log.all().stream().anyMatch(which));
    List<SlowLogPayload> found = log.all().stream().filter(which).toList();
    assertEquals(1, found.size(), found.toString());
    return found.get(0);
  }

  /** A call is described after its reply has left. */
  private void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - start < WAIT_MAX_NANOS, () -> log.all().toString());
      Thread.onSpinWait();
    }
  }

  private static String line(CapturedLog lines, String tag, String word) {
    return lines.lines().stream()
        .filter(line -> line.contains("(" + tag + "): {") && line.contains(word))
        .findFirst()
        .orElseThrow(() -> new AssertionError(lines.lines().toString()));
  }

  @Test
  void slowCallsHaveHBasesTagsAndFields() throws IOException {
    keepSlowCalls();
    try (CapturedLog lines = CapturedLog.of(SlowLog.class.getName());
        Table table = open()) {
      table.put(new Put(F).addColumn(F, F, new byte[2000]));
      log.clear();
      region.beforeGet = SlowLogTest::takeLong;
      table.get(new Get(Bytes.toBytes("none")));
      SlowLogPayload slow = only(call -> call.getMethodName().equals("Get"));
      assertEquals(SlowLogPayload.Type.SLOW_LOG, slow.getType());
      assertTrue(slow.getProcessingTime() >= 3, slow.toString());
      String line = line(lines, "responseTooSlow", "none");
      for (String field :
          List.of(
              "\"call\":\"Get(org.apache.",
              "\"blockbytesscanned\":0",
              "\"fsreadtime\":0",
              "\"queuetimems\":",
              "\"class\":\"HRegionServer\"")) {
        assertTrue(line.contains(field), line);
      }
      table.get(List.of(new Get(F), new Get(Bytes.toBytes("none"))));
      SlowLogPayload both = only(call -> call.getMethodName().equals("Multi"));
      assertEquals(SlowLogPayload.Type.ALL, both.getType());
      assertTrue(both.getBlockBytesScanned() > 2000, both.toString());
      line = line(lines, "responseTooLarge & TooSlow", "Multi");
      assertTrue(line.contains("\"multi.gets\":2"), line);
      assertTrue(line.contains("\"multi.mutations\":0"), line);
      assertTrue(line.contains("\"multi.service_calls\":0"), line);
      assertEquals(1, ofTable(LogType.LARGE_LOG).size());
      assertTrue(ofTable(LogType.SLOW_LOG).containsAll(List.of(slow, both)));
    }
  }

  @Test
  void eachCallOfAScannerNamesItsRegionAndWhatItLookedAt() throws IOException {
    keepSlowCalls();
    conf.setInt("hbase.ipc.warn.response.time.scan", 0);
    try (CapturedLog lines = CapturedLog.of(SlowLog.class.getName());
        Table table = open()) {
      table.put(new Put(F).addColumn(F, F, new byte[2000]));
      table.put(new Put(Bytes.toBytes("g")).addColumn(F, F, new byte[2000]));
      region.beforeNext = SlowLogTest::takeLong;
      try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1))) {
        assertNotNull(scanner.next());
        assertNotNull(scanner.next());
      }
      await(() -> lines.lines().stream().anyMatch(line -> line.contains("scanner_id: ")));
      String second = line(lines, "responseTooLarge & TooSlow", "scanner_id");
      assertTrue(second.contains("\"scandetails\":\"table: t region: t,,"), second);
      assertTrue(second.contains("\"blockbytesscanned\":2"), second);
    }
  }

  @Test
  void callsOfScannersHaveLimitsOfTheirOwn() throws IOException {
    keepSlowCalls();
    try (Table table = open()) {
      table.put(new Put(F).addColumn(F, F, new byte[10]));
      region.beforeNext = SlowLogTest::takeLong;
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        assertNotNull(scanner.next());
      }
    }
    assertEquals(
        List.of(), log.all().stream().filter(call -> call.getMethodName().equals("Scan")).toList());
  }

  /** A name of a region is as long as the client likes. */
  @Test
  void aLongNameInAMultiIsNotWritten() {
    byte[] name = new byte[1 << 20];
    SlowLogParams written = SlowCall.params(multi(new byte[100]));
    assertTrue(written.getParams().contains("for 0 action(s)"), written.getParams());
    assertTrue(SlowCall.params(multi(name)).getParams().startsWith("a message of 10485"));
    assertEquals("", SlowCall.params(multi(name)).getRegionName());
    SlowLogParams empty = SlowCall.params(MultiRequest.getDefaultInstance());
    assertEquals("a message of 0 bytes", empty.getParams());
  }

  private static MultiRequest multi(byte[] regionName) {
    return MultiRequest.newBuilder()
        .addRegionAction(
            RegionAction.newBuilder()
                .setRegion(
                    RegionSpecifier.newBuilder()
                        .setType(RegionSpecifierType.REGION_NAME)
                        .setValue(UnsafeByteOperations.unsafeWrap(regionName))))
        .build();
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
    await(() -> !log.all().isEmpty() && log.all().get(0).getParam().contains("\\x04\\x00"));
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
