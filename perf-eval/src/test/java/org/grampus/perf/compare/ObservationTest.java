package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.PageServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ObservationTest {
  private static final long BEGIN = 1_764_266_400_000L;

  @TempDir private Path directory;
  private PageServer server;
  private Observation observation;

  @BeforeEach
  void start() throws IOException {
    server = new PageServer();
    observation = new Observation(sink(), server.pages());
  }

  @AfterEach
  void stop() {
    observation.close();
    server.close();
  }

  private Path sink() {
    return directory.resolve("sink");
  }

  /** The sink has a line for each of these seconds after the begin. */
  private void write(int... seconds) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int second : seconds) {
      lines.append(BEGIN + second * 1000L).append(" regionserver.Server: Hostname=a\n");
    }
    Files.writeString(sink(), lines);
  }

  private void count(int fromSecond, int toSecond) throws IOException {
    observation.count(BEGIN + fromSecond * 1000L, BEGIN + toSecond * 1000L);
  }

  @Test
  void sinkAndPagesOfAllTablesAreCounted() throws Exception {
    observation.observed(new PolledTarget(server)).run(List.of());
    write(5, 15, 25);
    count(10, 30);
    write(45);
    count(40, 60);

    String found = observation.found();

    assertTrue(found.startsWith("metrics that the sink got: 3 times; pages"), found);
  }

  @Test
  void sinkThatBecomesSilentIsAFailure() throws Exception {
    observation.observed(new PolledTarget(server)).run(List.of());
    write(5);
    count(0, 40);

    assertEquals(
        "the sink of metrics has written 1 times in 40 s, and not each 10 s",
        assertThrows(ToolException.class, observation::found).getMessage());
  }

  @Test
  void sinkThatOnlyBeginsItsFileIsAFailure() throws Exception {
    observation.observed(new PolledTarget(server)).run(List.of());
    write();
    count(0, 9);

    assertThrows(ToolException.class, observation::found);
  }

  @Test
  void pagesThatNobodyAsksForAreAFailure() throws Exception {
    write(5);
    count(0, 10);

    assertEquals(
        "no page of the server has come",
        assertThrows(ToolException.class, observation::found).getMessage());
  }
}
