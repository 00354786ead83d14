package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.junit.jupiter.api.Test;

/** Rules of scans that HBase's own client does not show: other clients and older ones. */
class ScanWireTest extends WireTest {
  private ScanRequest.Builder open(int rows) throws IOException {
    return ScanRequest.newBuilder()
        .setRegion(region)
        .setScan(ProtobufUtil.toScan(new Scan()))
        .setNumberOfRows(rows);
  }

  private ScanResponse scan(ScanRequest.Builder request) throws IOException {
    return call("Scan", request.build(), ScanResponse.getDefaultInstance());
  }

  private static ScanRequest.Builder next(ScanResponse opened, int rows) {
    return ScanRequest.newBuilder().setScannerId(opened.getScannerId()).setNumberOfRows(rows);
  }

  @Test
  void scanRepliesEchoTheIdAndAlwaysSayWhetherThereIsMore() throws IOException {
    for (String row : new String[] {"a", "b", "c"}) {
      load(row);
    }
    ScanResponse opened = scan(open(0));
    assertTrue(opened.hasScannerId());
    assertTrue(opened.getTtl() > 0);
    assertTrue(opened.getMoreResultsInRegion());
    ScanResponse first = scan(next(opened, 2).setNextCallSeq(0));
    assertEquals(opened.getScannerId(), first.getScannerId());
    assertEquals(2, first.getCellsPerResultCount());
    assertEquals(2, first.getPartialFlagPerResultCount());
    assertTrue(first.hasMoreResults() && first.getMoreResults());
    assertTrue(first.getMoreResultsInRegion());
    ScanRequest repeated = next(opened, 2).setNextCallSeq(0).build();
    assertFails(
        OutOfOrderScannerNextException.class, "Scan", repeated, ScanResponse.getDefaultInstance());
    ScanResponse last = scan(next(opened, 2).setNextCallSeq(1));
    assertEquals(1, last.getCellsPerResultCount());
    assertTrue(last.getMoreResults());
    assertFalse(last.getMoreResultsInRegion());
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void theReplyThatOpensAScannerHasItsReadPoint() throws IOException {
    load("a");
    load("b");
    ScanResponse opened = scan(open(0));
    assertTrue(opened.getMvccReadPoint() > 0);
    assertEquals(0, opened.getCellsPerResultCount() + opened.getResultsCount());
    assertFalse(scan(next(opened, 1).setNextCallSeq(0)).hasMvccReadPoint());
    assertEquals(opened.getMvccReadPoint(), scan(open(1)).getMvccReadPoint());
  }

  @Test
  void lateCallAfterTheEndIsEmptyButWrongNumbersAndIdsAreNot() throws IOException {
    load("a");
    ScanResponse opened = scan(open(0));
    scan(next(opened, 5).setNextCallSeq(0));
    ScanResponse late = scan(next(opened, 5).setCloseScanner(true));
    assertEquals(opened.getScannerId(), late.getScannerId());
    assertFalse(late.hasMoreResults());
    assertFalse(late.hasMoreResultsInRegion());
    assertFails(
        OutOfOrderScannerNextException.class,
        "Scan",
        next(opened, 5).setNextCallSeq(9).build(),
        ScanResponse.getDefaultInstance());
    assertFails(
        UnknownScannerException.class,
        "Scan",
        ScanRequest.newBuilder().setScannerId(42).setNumberOfRows(1).build(),
        ScanResponse.getDefaultInstance());
  }

  @Test
  void oneCallOpensReadsAndCloses() throws IOException {
    load("a");
    load("b");
    ScanResponse reply = scan(open(1).setCloseScanner(true));
    assertEquals(1, reply.getCellsPerResultCount());
    assertTrue(reply.getMoreResultsInRegion());
    assertEquals(0, cluster.scanners().openCount());
    assertEquals(0, engine.openScanners.get());
  }

  @Test
  void anErrorOfTheJvmEndsTheScanner() throws IOException {
    load("a");
    ScanResponse opened = scan(open(0));
    engine.beforeNext =
        () -> {
          throw new StackOverflowError("too deep");
        };
    assertFails(
        IOException.class, "Scan", next(opened, 1).build(), ScanResponse.getDefaultInstance());
    assertEquals(0, engine.openScanners.get());
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void limitOfRowsEndsTheScan() throws IOException {
    for (String row : new String[] {"a", "b", "c"}) {
      load(row);
    }
    ScanResponse reply = scan(open(10).setLimitOfRows(2));
    assertEquals(2, reply.getCellsPerResultCount());
    assertFalse(reply.getMoreResults());
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void renewOnlyKeepsTheLease() throws IOException {
    load("a");
    ScanResponse opened = scan(open(0));
    ScanResponse renewed = scan(next(opened, 0).setRenew(true));
    assertFalse(renewed.hasMoreResults());
    assertFalse(renewed.hasMoreResultsInRegion());
    assertEquals(1, cluster.scanners().openCount());
    scan(next(opened, 0).setCloseScanner(true));
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void scannerOfARegionThatMovedEnds() throws IOException {
    load("a");
    ScanResponse opened = scan(open(0));
    cluster.regions().remove(cluster.regions().lookup(region).encodedName());
    assertFails(
        NotServingRegionException.class,
        "Scan",
        next(opened, 1).build(),
        ScanResponse.getDefaultInstance());
    assertEquals(0, engine.openScanners.get());
  }
}
