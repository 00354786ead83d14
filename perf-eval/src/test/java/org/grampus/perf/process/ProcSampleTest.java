package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ProcSampleTest {
  private static final String STAT =
      "23046 (java (a) b) S 23021 23021 23021 0 -1 4194304 172354 9261 3 0 4035 812 733 95 20 0 41 0"
          + " 7734821 3259514880 45320 18446744073709551615 1 1 0 0 0 0 0 4096 16800975 0 0 0 17 1\n";
  private static final String STATUS =
      "Name:\tjava\nState:\tS (sleeping)\nVmPeak:\t 3183116 kB\nVmHWM:\t  190532 kB\n"
          + "VmRSS:\t  181280 kB\nThreads:\t41\n";

  @Test
  void timesAreMicrosecondsAndMemoryIsKilobytes() throws IOException {
    ProcSample sample = ProcSample.parse(STAT, STATUS);

    assertEquals((4035 + 812) * 10_000L, sample.cpuMicros());
    assertEquals((733 + 95) * 10_000L, sample.childMicros());
    assertEquals(181_280, sample.rssKb());
    assertEquals(190_532, sample.peakRssKb());
    assertEquals(177, sample.rssMb());
    assertEquals(186, sample.peakRssMb());
  }

  @Test
  void processWithoutMemoryHasEnded() {
    IOException thrown =
        assertThrows(
            IOException.class, () -> ProcSample.parse(STAT, "Name:\tjava\nState:\tZ (zombie)\n"));
    assertTrue(thrown.getMessage().contains("has ended"), thrown.getMessage());
  }

  @Test
  void thisProcessHasTimeAndMemory() throws IOException {
    ProcSample sample = ProcSample.of(ProcessHandle.current().pid());

    assertTrue(sample.cpuMicros() > 0, sample.toString());
    assertTrue(sample.peakRssKb() >= sample.rssKb(), sample.toString());
  }
}
