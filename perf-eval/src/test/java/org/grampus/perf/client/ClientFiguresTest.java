package org.grampus.perf.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClientFiguresTest {
  @TempDir private Path directory;

  @Test
  void figuresReadBackAsTheyWereWritten() throws IOException {
    Histogram micros = new Histogram(3);
    micros.recordValueWithCount(10, 98);
    micros.recordValueWithCount(500, 2);
    ClientFigures figures = ClientFigures.of(100, 2, micros, 1, 7);
    Path file = directory.resolve("figures");

    figures.write(file);

    assertEquals(figures, ClientFigures.read(file));
    assertEquals(10.0, figures.p50Micros());
    assertEquals(500.0, figures.p99Micros());
    assertEquals(50.0, figures.operationsPerSecond());
  }

  @Test
  void processorTimeOfTheServerIsThereWhereTheClientHasLooked() throws IOException {
    ClientFigures figures = ClientFigures.of(100, 2, new Histogram(3), 0, 0);
    Path file = directory.resolve("figures");

    figures.withServerCpu(1_500).write(file);

    assertEquals(1_500L, ClientFigures.read(file).serverCpuMicros());
    assertNull(figures.serverCpuMicros());
  }

  @Test
  void noLatencyIsNone() {
    assertNull(ClientFigures.of(0, 0, new Histogram(3), 0, 0).p99Micros());
  }
}
