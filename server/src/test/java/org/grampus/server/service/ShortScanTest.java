package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.region.RequestCounters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans that end with their first call run on the event loop, and all others as ever. */
class ShortScanTest extends WireTest {
  private static final int LARGE_BYTES = 50_000;

  private final List<String> threads = new CopyOnWriteArrayList<>();

  @BeforeEach
  void watch() {
    engine.triesScans = true;
    engine.beforeNext =
        () -> threads.add(Thread.currentThread().getName().replaceAll("-\\d.*", ""));
    for (int row = 0; row < 10; row++) {
      load("r" + row);
    }
  }

  private ScanRequest.Builder open(Scan scan, int rows) throws IOException {
    return ScanRequest.newBuilder()
        .setRegion(region)
        .setScan(ProtobufUtil.toScan(scan))
        .setNumberOfRows(rows);
  }

  private ScanResponse scan(ScanRequest.Builder request) throws IOException {
    return call("Scan", request.build(), ScanResponse.getDefaultInstance());
  }

  private static Scan range(String start, String stop) {
    return new Scan().withStartRow(Bytes.toBytes(start)).withStopRow(Bytes.toBytes(stop));
  }

  private long readRequests() throws IOException {
    return counters().reads();
  }

  private RequestCounters counters() throws IOException {
    return cluster.regions().lookup(region).counters();
  }

  private void assertNothingIsHeld() {
    assertEquals(0, cluster.scanners().openCount());
    assertEquals(0, engine.openScanners.get());
    assertEquals(0, cluster.server().dispatcher().account().used(MemoryUse.SCANNERS));
  }

  @Test
  void aRangeRunsOnTheEventLoop() throws IOException {
    ScanResponse reply = scan(open(range("r2", "r5"), 100));
    assertEquals(3, reply.getCellsPerResultCount());
    assertFalse(reply.getMoreResultsInRegion());
    assertTrue(reply.getMoreResults());
    assertTrue(reply.hasScannerId() && reply.getTtl() > 0 && reply.getMvccReadPoint() > 0);
    assertEquals(List.of("rpc-loop"), threads);
    assertNothingIsHeld();
  }

  @Test
  void soDoesOneThatItsLimitOfRowsOrItsClientEnds() throws IOException {
    assertFalse(scan(open(new Scan(), 10).setLimitOfRows(2)).getMoreResults());
    ScanResponse closed = scan(open(new Scan(), 3).setCloseScanner(true));
    assertEquals(3, closed.getCellsPerResultCount());
    assertTrue(closed.getMoreResultsInRegion());
    assertEquals(List.of("rpc-loop", "rpc-loop"), threads);
    assertNothingIsHeld();
  }

  @Test
  void aScanThatGoesOnIsReadAgainOnAPoolAndCountedOnce() throws IOException {
    long before = readRequests();
    ScanResponse first = scan(open(new Scan(), 4));
    assertEquals(4, first.getCellsPerResultCount());
    assertTrue(first.getMoreResultsInRegion());
    assertEquals(List.of("rpc-loop", "rpc-handler"), threads);
    assertEquals(before + 4, readRequests());
    assertEquals(1, cluster.scanners().openCount());
    ScanRequest.Builder next =
        ScanRequest.newBuilder().setScannerId(first.getScannerId()).setNumberOfRows(100);
    assertEquals(6, scan(next).getCellsPerResultCount());
    assertNothingIsHeld();
  }

  @Test
  void aReplyTooLargeForAnEventLoopComesFromAPool() throws IOException {
    for (int row = 0; row < 10; row++) {
      engine.load(new KeyValue(Bytes.toBytes("large" + row), F, Q, 5, new byte[LARGE_BYTES]));
    }
    ScanResponse reply = scan(open(range("large", "largf"), 100));
    assertEquals(10, reply.getCellsPerResultCount());
    assertEquals("rpc-loop", threads.get(0));
    assertEquals("rpc-handler", threads.get(threads.size() - 1));
    assertNothingIsHeld();
    assertEquals(0, cluster.server().dispatcher().account().used(MemoryUse.REPLIES));
  }

  @Test
  void afterATryThatWasGivenUpTheNextScanIsNotTried() throws IOException {
    scan(open(new Scan(), 4).setCloseScanner(false));
    threads.clear();
    scan(open(range("r2", "r5"), 100));
    scan(open(range("r2", "r5"), 100));
    assertEquals(List.of("rpc-handler", "rpc-loop"), threads);
  }

  @Test
  void aReadPointOfTheClientIsForAPool() throws IOException {
    Scan scan = range("r2", "r5");
    ScanRequest.Builder request = open(scan, 100);
    request.getScanBuilder().setMvccReadPoint(1);
    scan(request);
    assertEquals(List.of("rpc-handler"), threads);
  }

  @Test
  void aFilterIsForAPool() throws IOException {
    Scan scan = range("r2", "r5").setFilter(new PrefixFilter(Bytes.toBytes("r3")));
    assertEquals(1, scan(open(scan, 100)).getCellsPerResultCount());
    assertEquals(List.of("rpc-handler"), threads);
  }
}
