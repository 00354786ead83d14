package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.grampus.perf.ToolException;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.ProcSample;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;

final class MeasurementTest {
  private static final Bench BENCH =
      new Bench(new Checkout(Path.of("")), Path.of("work"), new Sizes(1000, 1, 512), note -> {});

  private static Run measure(ClientFigures said) throws Exception {
    return measure(said, Schedule.IN_TURN);
  }

  private static Run measure(ClientFigures said, Schedule schedule) throws Exception {
    FakeTarget target = new FakeTarget();
    Row row =
        new Row("gets", "", Optional.empty(), new Said(said), Row.Aftermath.NONE, Optional.empty());
    Run run = new Measurement(BENCH, schedule).of(target, row, 100, 1);
    assertEquals(List.of("client", "aftermath"), target.steps);
    return run;
  }

  @Test
  void processorTimeIsCountedOverClientAndAftermath() throws Exception {
    Run run = measure(new ClientFigures(100, 2, 5.0, 9.0, 0, 0));

    assertEquals(0.003, run.serverCpuSeconds(), 1e-9);
    assertEquals(30.0, run.serverMicrosPerOperation(), 1e-9);
    assertEquals(7, run.diskBytes());
    assertEquals("fake", run.server());
  }

  @Test
  void clientThatHasLookedAtTheServerKnowsBetter() throws Exception {
    Run run = measure(new ClientFigures(100, 2, 5.0, 9.0, 0, 0).withServerCpu(1000));

    assertEquals(0.001, run.serverCpuSeconds(), 1e-9);
    assertEquals(10.0, run.serverMicrosPerOperation(), 1e-9);
  }

  @Test
  void whatClientsTakeIsCountedInTurnsAlone() throws Exception {
    ClientFigures said = new ClientFigures(100, 2, 5.0, 9.0, 0, 0);
    Run alone = measure(said);
    assertEquals(0.0004, alone.clientCpuSeconds(), 1e-9);
    assertEquals(4.0, (Double) alone.figures().get(Measurement.CLIENT_MICROS), 1e-9);

    Run beside = measure(said, Schedule.AT_ONCE);
    assertNull(beside.clientCpuSeconds());
    assertFalse(beside.figures().containsKey(Measurement.CLIENT_MICROS));
    assertEquals(alone.serverCpuSeconds(), beside.serverCpuSeconds());
    Summary summary = Summary.of(List.of(beside));
    assertTrue(Double.isNaN(summary.clientMicros()));
    assertFalse(summary.toMap().containsValue(Double.NaN), "JSON has no NaN");
  }

  /** Takes 1 ms of processor time for its client, and 2 for what the client leaves. */
  private static final class FakeTarget implements Target {
    private final List<String> steps = new ArrayList<>();
    private long cpuMicros = 5_000;

    @Override
    public ProcSample sample() {
      return new ProcSample(cpuMicros, 0, 1024, 2048);
    }

    @Override
    public ClientRun run(List<String> arguments) {
      steps.add("client");
      cpuMicros += 1000;
      return new ClientRun("", 1_000_000, 400);
    }

    @Override
    public void awaitAftermath(Row row) {
      steps.add("aftermath");
      cpuMicros += 2000;
    }

    @Override
    public long tableBytes(Row row) {
      return 7;
    }

    @Override
    public String toString() {
      return "fake";
    }
  }

  private record Said(ClientFigures figures) implements Work {
    @Override
    public long firstOperations(Sizes sizes) {
      return 1;
    }

    @Override
    public List<String> arguments(Sizes sizes, long operations, Path report) {
      return List.of();
    }

    @Override
    public ClientFigures figures(ClientRun run, Path report) throws ToolException, IOException {
      return figures;
    }
  }
}
