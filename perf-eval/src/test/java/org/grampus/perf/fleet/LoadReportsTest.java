package org.grampus.perf.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of reports, by a clock that the test moves; no stub is added to their threads. */
final class LoadReportsTest {
  private static final long INTERVAL_MILLIS = 3000;

  private final AtomicLong clock = new AtomicLong(5);
  private final AtomicReference<String> failure = new AtomicReference<>();
  private final List<RegionServerReportRequest> sent = new ArrayList<>();
  private final StubServer server = new StubServer(ServerName.valueOf("127.1.0.1", 1, 1));
  private final LoadReports reports =
      new LoadReports(this::take, INTERVAL_MILLIS, failure, clock::get);
  private long answerMillis;
  private boolean refuses;
  private boolean breaks;

  private void take(RegionServerReportRequest report) throws IOException {
    if (breaks) {
      throw new IllegalStateException("in this test");
    }
    if (refuses) {
      throw new IOException("no master is there");
    }
    sent.add(report);
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(answerMillis));
  }

  @AfterEach
  void close() {
    reports.close();
  }

  @Test
  void aReportCountsWhenTheMasterHasAnsweredIt() {
    reports.report(server, clock.get());
    reports.report(server, clock.get());
    ReportCounts before = reports.counts();
    refuses = true;
    reports.report(server, clock.get());

    assertEquals(new ReportCounts(2, 0, 0), before);
    assertEquals(new ReportCounts(0, 0, 1), reports.counts().since(before));
    assertEquals(2, sent.size());
    assertNull(failure.get());
  }

  @Test
  void aReportIsLateWhenTheNextOneWasDueBeforeItsAnswer() {
    answerMillis = INTERVAL_MILLIS;
    reports.report(server, clock.get());
    assertEquals(new ReportCounts(1, 0, 0), reports.counts());

    reports.report(server, clock.get() - 1);
    assertEquals(new ReportCounts(2, 1, 0), reports.counts());
  }

  @Test
  void theLoadIsOfTheTimeSinceTheReportBefore() {
    reports.report(server, clock.get());

    assertEquals(
        INTERVAL_MILLIS,
        sent.get(0).getLoad().getReportEndTime() - sent.get(0).getLoad().getReportStartTime());
  }

  @Test
  void theDeadReportNothing() {
    server.die();
    reports.report(server, clock.get());

    assertEquals(new ReportCounts(0, 0, 0), reports.counts());
    assertEquals(List.of(), sent);
  }

  @Test
  void whatNoReportMayEndWithIsKept() {
    breaks = true;
    reports.report(server, clock.get());

    assertEquals("a report failed: java.lang.IllegalStateException: in this test", failure.get());
    assertEquals(new ReportCounts(0, 0, 0), reports.counts());
  }
}
