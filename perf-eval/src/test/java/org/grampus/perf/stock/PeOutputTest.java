package org.grampus.perf.stock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class PeOutputTest {
  /** What PerformanceEvaluation printed, but for its settings. */
  private static PeOutput parsed(String name) throws IOException, ToolException {
    try (InputStream text = PeOutputTest.class.getResourceAsStream(name)) {
      return PeOutput.parse(new String(text.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void rowsAreThoseOfAllClientsAndTimeIsTheSlowestOnes() throws IOException, ToolException {
    PeOutput output = parsed("four-clients.txt");

    assertEquals(20_000, output.rows());
    assertEquals(410, output.millis());
    assertEquals(20_000 * 1000.0 / 410, output.rowsPerSecond());
  }

  @Test
  void percentilesAreTheHighestOfTheClients() throws IOException, ToolException {
    PeOutput output = parsed("four-clients.txt");

    assertEquals(13.0, output.p99Micros());
    assertEquals(0.0, output.p50Micros());
  }

  @Test
  void oneClientIsUnderstood() throws IOException, ToolException {
    PeOutput output = parsed("one-client.txt");

    assertEquals(20_000, output.rows());
    assertEquals(778, output.millis());
    assertEquals(6.0, output.p99Micros());
  }

  @Test
  void clientsOfAPoolAreClientsToo() throws ToolException {
    PeOutput output =
        PeOutput.parse(
            "Latency (us) : mean=1.0, 50th=598.00, 75th=700.00, 99th=2317.61, 99.9th=3000.00\n"
                + "INFO x.Y: Finished pool-2-TestClient-0-thread in 1602ms over 2000 rows\n");

    assertEquals(598.0, output.p50Micros());
    assertEquals(2_317.61, output.p99Micros());
    assertEquals(2_000, output.rows());
  }

  @Test
  void runWithoutAFinishedClientIsAnError() {
    assertThrows(ToolException.class, () -> PeOutput.parse("INFO Created table TestTable\n"));
  }
}
