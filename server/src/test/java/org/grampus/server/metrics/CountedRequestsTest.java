package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.CallObserver;
import org.grampus.server.service.Operation;
import org.grampus.server.service.OperationObserver;
import org.grampus.server.testkit.LocalCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What calls of a client leave in the beans, and what a broken observer does to calls: nothing. */
class CountedRequestsTest {
  private static final byte[] F = Bytes.toBytes("f");

  private final Configuration conf = HBaseConfiguration.create();
  private LocalCluster cluster;
  private CallMetrics calls;
  private PublishedMetrics metrics;
  private Connection connection;

  /** Passes on to an observer that is there only when the server is. */
  private final class Later implements OperationObserver {
    @Override
    public void ended(Operation operation, OnlineRegion region, long nanos, long scannedBytes) {
      metrics.operations().ended(operation, region, nanos, scannedBytes);
    }

    @Override
    public void failed(Throwable error) {
      metrics.operations().failed(error);
    }

    @Override
    public void fullScan() {
      metrics.operations().fullScan();
    }

    @Override
    public void scanned(OnlineRegion region, ScannedCall call) {
      metrics.operations().scanned(region, call);
    }
  }

  private Table open() throws IOException {
    calls = CallMetrics.open();
    cluster = new LocalCluster(conf, List.of(calls), new Later());
    calls.server(cluster.server());
    metrics =
        PublishedMetrics.open(
            conf,
            new Identity(() -> "server", () -> "cluster", "zk", 1),
            new PublishedMetrics.Parts(
                cluster.engine(),
                cluster.regions(),
                cluster.scanners(),
                cluster.server().dispatcher().account(),
                calls,
                true));
    cluster.addRegion("", "");
    connection = ConnectionFactory.createConnection(cluster.clientConfiguration());
    return connection.getTable(LocalCluster.TABLE);
  }

  @AfterEach
  void close() throws IOException {
    if (connection != null) {
      connection.close();
    }
    if (metrics != null) {
      metrics.close();
      calls.close();
    }
    cluster.close();
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, F, Bytes.toBytes("v"));
  }

  private static long number(Map<String, Object> bean, String name) {
    Object value = bean.get(name);
    assertTrue(value instanceof Number, name + " is " + value);
    return ((Number) value).longValue();
  }

  @Test
  void callsAndOperationsAreCountedByKind() throws IOException {
    try (Table table = open()) {
      Map<String, Object> before = MetricRecords.now("RegionServer");
      table.put(put("a"));
      table.put(List.of(put("b"), put("c")));
      table.get(new Get(Bytes.toBytes("a")));
      table.get(List.of(new Get(Bytes.toBytes("b")), new Get(Bytes.toBytes("c"))));
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        scanner.forEach(row -> {});
      }
      Get unknown = new Get(Bytes.toBytes("a")).addFamily(Bytes.toBytes("none"));
      assertThrows(DoNotRetryIOException.class, () -> table.get(unknown));
      metrics.renew();
      Map<String, Object> server = MetricRecords.now("Server");
      assertEquals(2, number(server, "rpcGetRequestCount"));
      assertEquals(1, number(server, "rpcMutateRequestCount"));
      assertEquals(2, number(server, "rpcMultiRequestCount"));
      assertEquals(1, number(server, "Put_num_ops"));
      assertEquals(1, number(server, "PutBatch_num_ops"));
      assertEquals(3, number(server, "writeRequestCount"));
      assertEquals(1, number(server, "rpcFullScanRequestCount"));
      Map<String, Object> ipc = MetricRecords.now("RegionServer");
      assertTrue(number(ipc, "exceptions") > number(before, "exceptions"));
      assertTrue(number(ipc, "receivedBytes") > number(before, "receivedBytes"));
      assertTrue(number(ipc, "sentBytes") > number(before, "sentBytes"));
      assertTrue(number(ipc, "numOpenConnections") >= 1);
      assertTrue(
          number(ipc, "TotalCallTime_num_ops") - number(before, "TotalCallTime_num_ops") >= 5);
      assertEquals(number(ipc, "TotalCallTime_num_ops"), number(ipc, "QueueCallTime_num_ops"));
    }
  }

  @Test
  void manyCallsAreCountedOnceEach() throws IOException {
    try (Table table = open()) {
      int puts = 2 * CallBatch.HELD_MAX + 1;
      Map<String, Object> before = MetricRecords.now("RegionServer");
      for (int i = 0; i < puts; i++) {
        table.put(put("row" + i));
      }
      Map<String, Object> ipc = MetricRecords.now("RegionServer");
      long calls = number(ipc, "TotalCallTime_num_ops") - number(before, "TotalCallTime_num_ops");
      assertTrue(calls >= puts, calls + " of " + puts);
      for (String name :
          List.of("QueueCallTime", "ProcessCallTime", "RequestSize", "ResponseSize")) {
        String count = name + "_num_ops";
        assertEquals(calls, number(ipc, count) - number(before, count), name);
      }
      metrics.renew();
      assertEquals(puts, number(MetricRecords.now("Server"), "Put_num_ops"));
    }
  }

  @Test
  void everyCallOfAScannerOverAWholeRegionIsAFullScan() throws IOException {
    try (Table table = open()) {
      table.put(List.of(put("a"), put("b"), put("c")));
      assertEquals(0, fullScans(), "no scan yet");
      try (ResultScanner part = table.getScanner(new Scan().withStartRow(Bytes.toBytes("b")))) {
        part.forEach(row -> {});
      }
      assertEquals(0, fullScans(), "part of the region");
      ResultScanner scanner = table.getScanner(new Scan().setCaching(1));
      scanner.next();
      long reads = fullScans();
      assertTrue(reads > 0);
      assertTrue(scanner.renewLease());
      assertEquals(reads + 1, fullScans(), "the renewal");
      scanner.close();
      assertEquals(reads + 2, fullScans(), "the close");
    }
  }

  private long fullScans() {
    metrics.renew();
    return number(MetricRecords.now("Server"), "rpcFullScanRequestCount");
  }

  @Test
  void aRequestThatIsTooLargeIsAnException() throws IOException {
    conf.setInt("hbase.ipc.max.request.size", 10_000);
    try (Table table = open()) {
      String name = "exceptions.requestTooBig";
      long before = number(MetricRecords.now("RegionServer"), name);
      Put large = new Put(Bytes.toBytes("a")).addColumn(F, F, new byte[20_000]);
      assertThrows(IOException.class, () -> table.put(large));
      assertTrue(number(MetricRecords.now("RegionServer"), name) > before);
    }
  }

  @Test
  void partsOfAMultiThatFailAreExceptions() throws IOException {
    try (Table table = open()) {
      String name = "exceptions.otherExceptions";
      long before = number(MetricRecords.now("RegionServer"), name);
      Get good = new Get(Bytes.toBytes("a"));
      Get bad = new Get(Bytes.toBytes("a")).addFamily(Bytes.toBytes("none"));
      assertThrows(IOException.class, () -> table.get(List.of(good, bad, good)));
      assertEquals(before + 1, number(MetricRecords.now("RegionServer"), name));
    }
  }

  @Test
  void aRegionThatLeavesLeavesNothingAndOneThatComesAgainBeginsAnew() throws IOException {
    try (Table table = open()) {
      table.put(put("a"));
      metrics.renew();
      OnlineRegion region =
          cluster.regions().ofTable(LocalCluster.TABLE).stream().findFirst().orElseThrow();
      String put = "Namespace_default_table_t_region_" + region.encodedName() + "_metric_putCount";
      assertEquals(1, number(MetricRecords.now("Regions"), put));
      cluster.regions().remove(region.encodedName());
      metrics.renew();
      assertFalse(MetricRecords.now("Regions").containsKey(put), "a ghost");
      String tables = "Namespace_default_table_t_metric_writeRequestCount";
      assertFalse(MetricRecords.now("Tables").containsKey(tables), "a ghost");
      OnlineRegion again =
          new OnlineRegion(region.info(), region.table(), region.engine(), region.openSeqNum());
      cluster.regions().add(again);
      metrics.renew();
      assertEquals(0, number(MetricRecords.now("Regions"), put));
      assertEquals(0, number(MetricRecords.now("Tables"), tables));
    }
  }

  @Test
  void anObserverThatFailsHarmsNoCall() throws IOException {
    cluster =
        new LocalCluster(
            HBaseConfiguration.create(), List.of(new BrokenCalls()), new BrokenOperations());
    cluster.addRegion("", "");
    connection = ConnectionFactory.createConnection(cluster.clientConfiguration());
    try (Table table = connection.getTable(LocalCluster.TABLE)) {
      table.put(put("a"));
      table.put(List.of(put("b"), put("c")));
      Result[] rows = table.get(List.of(new Get(Bytes.toBytes("a")), new Get(Bytes.toBytes("b"))));
      assertEquals("v", Bytes.toString(rows[0].getValue(F, F)));
      assertEquals("v", Bytes.toString(rows[1].getValue(F, F)));
      Get unknown = new Get(Bytes.toBytes("a")).addFamily(Bytes.toBytes("none"));
      Object[] parts = new Object[2];
      assertThrows(
          IOException.class,
          () -> table.batch(List.of(new Get(Bytes.toBytes("a")), unknown), parts));
      assertEquals("v", Bytes.toString(((Result) parts[0]).getValue(F, F)));
      int scanned = 0;
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        for (Result unused : scanner) {
          scanned++;
        }
      }
      assertEquals(3, scanned);
    }
  }

  private static final class BrokenCalls implements CallObserver {
    @Override
    public void connected() {
      throw new StackOverflowError("of the test");
    }

    @Override
    public void finished(Call call, Throwable error) {
      throw new NoClassDefFoundError("of the test");
    }
  }

  private static final class BrokenOperations implements OperationObserver {
    @Override
    public void ended(Operation operation, OnlineRegion region, long nanos, long scannedBytes) {
      throw new NoClassDefFoundError("of the test");
    }

    @Override
    public void scanned(OnlineRegion region, ScannedCall call) {
      throw new AssertionError("of the test");
    }

    @Override
    public void failed(Throwable error) {
      throw new IllegalStateException("of the test");
    }
  }
}
