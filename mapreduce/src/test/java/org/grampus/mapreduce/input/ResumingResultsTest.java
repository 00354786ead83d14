package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ResumingResultsTest {
  private final Map<String, Long> counters = new HashMap<>();
  private final FakeTable table = new FakeTable();
  private long now;

  private ResumingResults open(Scan scan) throws IOException {
    return new ResumingResults(
        table,
        scan,
        new ReadCounters((group, name, amount) -> counters.merge(name, amount, Long::sum)),
        new ScannerLease(60_000, () -> now));
  }

  private static String show(Result result) {
    StringJoiner text = new StringJoiner(",");
    for (Cell cell : result.rawCells()) {
      text.add(
          Bytes.toString(CellUtil.cloneRow(cell)) + Bytes.toString(CellUtil.cloneQualifier(cell)));
    }
    return text.toString();
  }

  private static String rest(ResumingResults results) throws IOException {
    StringJoiner text = new StringJoiner(" ");
    for (Result result = results.next(); result != null; result = results.next()) {
      text.add(show(result));
    }
    results.close();
    return text.toString();
  }

  @Test
  void aLostScannerIsResumedBehindTheLastRow() throws IOException {
    table.row("a", 1).row("b", 1).row("c", 1).losing(2, 0);
    assertThrows(IOException.class, () -> rest(open(new Scan())), "lost twice without a result");
    table.losing(0, 1, 1);
    assertEquals("aq0 bq0 cq0", rest(open(new Scan())));
    assertEquals(3, counters.get("NUM_SCANNER_RESTARTS") - 1, "of both runs");
  }

  @Test
  void noRowIsLostWhenTheLastOneIsDeletedMeanwhile() throws IOException {
    table.row("a", 1).row("b", 1).row("c", 1).losing(1);
    ResumingResults results = open(new Scan());
    assertEquals("aq0", show(results.next()));
    table.delete("a");
    assertEquals("bq0 cq0", rest(results));
  }

  @Test
  void aRowOfBatchesGoesOnBehindItsLastCell() throws IOException {
    table.row("a", 7).row("b", 1).losing(2);
    assertEquals("aq0,aq1,aq2 aq3,aq4,aq5 aq6 bq0", rest(open(new Scan().setBatch(3))));
    assertEquals(2, counters.get("ROWS"));
    assertEquals(8, counters.get("CELLS"));
  }

  @Test
  void batchesMayShiftWhenACellIsDeletedMeanwhile() throws IOException {
    table.row("a", 6).row("b", 1).losing(1);
    ResumingResults results = open(new Scan().setBatch(3));
    assertEquals("aq0,aq1,aq2", show(results.next()));
    table.deleteCell("a", 1);
    assertEquals("aq3 aq4,aq5 bq0", rest(results));
  }

  @Test
  void aRowThatIsGoneWithinIsLeft() throws IOException {
    table.row("a", 6).row("b", 2).losing(1);
    ResumingResults results = open(new Scan().setBatch(3));
    results.next();
    table.delete("a");
    assertEquals("bq0,bq1", rest(results));
  }

  @Test
  void aReversedScanGoesOnToSmallerRows() throws IOException {
    table.row("a", 1).row("b", 1).row("c", 1).losing(2);
    assertEquals("cq0 bq0 aq0", rest(open(new Scan().setReversed(true))));
  }

  @Test
  void aLimitCountsRowsOfAllScanners() throws IOException {
    table.row("a", 1).row("b", 1).row("c", 1).losing(1);
    ResumingResults results = open(new Scan().setLimit(1));
    assertEquals("aq0", rest(results));
  }

  @Test
  void whatMustNotBeRetriedIsThrown() throws IOException {
    table.row("a", 1).losing(0).with(new DoNotRetryIOException("no"));
    ResumingResults results = open(new Scan());
    assertThrows(DoNotRetryIOException.class, results::next);
  }

  @Test
  void aScannerThatTheServerHasForgottenIsResumed() throws IOException {
    for (IOException forgotten :
        List.of(
            new UnknownScannerException("no"),
            new LeaseException("no"),
            new ScannerResetException("no"),
            new SocketTimeoutException("no"))) {
      FakeTable other = new FakeTable().row("a", 1).row("b", 1).losing(1).with(forgotten);
      ResumingResults results =
          new ResumingResults(
              other,
              new Scan(),
              new ReadCounters((group, name, amount) -> {}),
              new ScannerLease(60_000, () -> now));
      assertEquals("aq0 bq0", rest(results), forgotten.toString());
    }
  }

  @Test
  void anInterruptIsNoLoss() throws IOException {
    table.row("a", 1).losing(0).with(new InterruptedIOException("stop"));
    ResumingResults results = open(new Scan());
    assertThrows(InterruptedIOException.class, results::next);
  }

  @Test
  void theLeaseIsRenewedWhileResultsAreWorkedOn() throws IOException {
    table.row("a", 1).row("b", 1).row("c", 1);
    ResumingResults results = open(new Scan());
    for (int row = 0; row < 3; row++) {
      results.next();
      now += 25_000;
    }
    results.close();
    assertEquals(2, table.renewals());
    assertEquals(2, counters.get("LEASE_RENEWALS"));
  }

  @Test
  void aRowWhoseLastBatchSaysThatMoreMayFollowIsCounted() throws IOException {
    table.row("a", 4).row("b", 4).sayingMore();
    assertEquals("aq0,aq1 aq2,aq3 bq0,bq1 bq2,bq3", rest(open(new Scan().setBatch(2))));
    assertEquals(2, counters.get("ROWS"));
  }

  @Test
  void theClientsMetricsOfAllScannersAreCounted() throws IOException {
    table.row("a", 1).losing(1);
    rest(open(new Scan()));
    assertEquals(2, counters.get("RPC_CALLS"));
  }
}
