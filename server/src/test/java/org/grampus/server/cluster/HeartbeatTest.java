package org.grampus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.grampus.server.region.LoadReport;
import org.grampus.server.region.RegionRegistry;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final ServerName SELF = ServerName.valueOf("host", 1, 2);

  @Test
  void aReportThatFailsUnexpectedlyIsFollowedByTheNext() throws InterruptedException {
    CountDownLatch reports = new CountDownLatch(3);
    AtomicInteger fatal = new AtomicInteger();
    LoadReport broken =
        new LoadReport(new RegionRegistry(() -> SELF), Map::of, () -> 0, LoadReport.NO_INFO_PORT) {
          @Override
          public org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad
              server(long fromMillis, long toMillis) {
            reports.countDown();
            throw new IllegalStateException("a defect of the report");
          }
        };
    Heartbeat heartbeat =
        new Heartbeat(null, SELF, broken, (why, cause) -> fatal.incrementAndGet(), 1);
    heartbeat.start();
    assertTrue(reports.await(30, TimeUnit.SECONDS), "the thread has died");
    heartbeat.close();
    assertEquals(0, fatal.get());
  }
}
