package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;

final class PeRunsTest {
  private static final String FINISHED =
      "INFO x.Y: Finished TestClient-0 in 1600ms over 2000 rows\n";

  private static Run run(String output) throws ToolException {
    return PeRuns.of("grampus", "get", 2, new ClientRun(output, 2_500_000_000L, 800_000), 50_000);
  }

  @Test
  void figuresAreOfWhatTheClientSaidAndOfBothProcesses() throws ToolException {
    Run run = run("Latency (us) : mean=1.0, 50th=598.00, 75th=700.00, 99th=2317.61,\n" + FINISHED);

    assertEquals(2_000, run.operations());
    assertEquals(2.5, run.wallSeconds(), 1e-9);
    assertEquals(1_250, run.rowsPerSecond(), 1e-9);
    assertEquals(0.05, run.serverCpuSeconds(), 1e-9);
    assertEquals(25, run.serverMicrosPerOperation(), 1e-9);
    assertEquals(0.8, run.clientCpuSeconds(), 1e-9);
    assertEquals(598, run.p50Micros(), 1e-9);
    assertEquals(2_317.61, run.p99Micros(), 1e-9);
  }

  @Test
  void latencyThatWasNotMeasuredIsNone() throws ToolException {
    assertNull(run(FINISHED).p50Micros());
    assertNull(run(FINISHED).p99Micros());
  }

  @Test
  void clientThatHasNotFinishedIsAnError() {
    assertThrows(ToolException.class, () -> run("INFO Created table TestTable\n"));
  }
}
