package org.grampus.perf.stock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class WorkloadTest {
  @Test
  void operationsAreThoseOfTheDocumentedSize() {
    assertEquals(1_000_000, Workload.SEQUENTIAL_WRITE.operations(250_000));
    assertEquals(400_000, Workload.RANDOM_READ.operations(250_000));
    assertEquals(400_000, Workload.RANDOM_WRITE.operations(250_000));
    assertEquals(1_000_000, Workload.SCAN.operations(250_000));
  }

  @Test
  void argumentsAreThoseOfPerformanceEvaluation() {
    assertEquals(
        List.of(
            "run",
            "org.apache.hadoop.hbase.PerformanceEvaluation",
            "--nomapred",
            "--rows=100000",
            "--autoFlush=true",
            "randomWrite",
            "4"),
        Workload.RANDOM_WRITE.arguments(250_000));
    List<String> scan = Workload.SCAN.arguments(10);
    assertEquals(List.of("--rows=40", "--caching=1000", "scan", "1"), scan.subList(3, 7));
  }

  @Test
  void unknownNameIsRefusedWithTheKnownOnes() {
    ToolException thrown = assertThrows(ToolException.class, () -> Workload.of("scans"));
    assertTrue(thrown.getMessage().contains("randomRead"), thrown.getMessage());
  }
}
