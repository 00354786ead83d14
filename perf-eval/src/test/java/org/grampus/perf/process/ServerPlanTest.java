package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.grampus.compat.suite.target.ServerKind;
import org.junit.jupiter.api.Test;

final class ServerPlanTest {
  private static final ServerPlan PLAN = ServerPlan.of(ServerKind.GRAMPUS);

  @Test
  void theJvmOfAStockHBaseIsThatOfGrampus() {
    ServerPlan plan = ServerPlan.of(ServerKind.HBASE).heapMb(1000);

    assertEquals("-Xmx1000m", plan.stockJvm(null));
    assertEquals(
        "-XX:+UseParallelGC -Dio.netty.leakDetection.level=disabled"
            + " -Dorg.apache.hbase.thirdparty.io.netty.leakDetection.level=disabled -Xmx1000m",
        plan.stockJvm("-XX:+UseParallelGC -Dio.netty.leakDetection.level=disabled"));
  }

  @Test
  void metricsGoToOneFile() {
    assertEquals(Optional.empty(), PLAN.metrics());
    assertEquals(Optional.of(MetricsFile.ofEngine()), PLAN.publishingMetrics().metrics());
    assertEquals(
        Optional.of(MetricsFile.ofAll(10)), PLAN.publishingMetrics().sinkingEach(10).metrics());
  }
}
