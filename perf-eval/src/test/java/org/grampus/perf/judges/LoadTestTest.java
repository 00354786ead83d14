package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.grampus.perf.process.ProgramEnd;
import org.junit.jupiter.api.Test;

final class LoadTestTest {
  private static final ProgramEnd LOAD =
      new ProgramEnd(
          0,
          """
          INFO util.MultiThreadedAction: [W:4] Keys=812, cols=3.2k, time=00:00:05 Overall: [keys/s= 162, latency=24.51 ms] Current: [keys/s=162, latency=24.51 ms], wroteUpTo=811
          INFO util.MultiThreadedAction: [R:4] Keys=5000, cols=20.1k, time=00:00:05 Overall: [keys/s= 1000, latency=3.50 ms] Current: [keys/s=1000, latency=3.50 ms], verified=5000
          Failed to write keys: 0
          """);
  private static final ProgramEnd READ = new ProgramEnd(0, "");
  private static final ProgramEnd COUNT = new ProgramEnd(0, "\t\tROWS=1000\n");

  private final LoadTest test = new LoadTest(1000);

  @Test
  void acceptsWhatIsWrittenReadAndCounted() {
    Judgement judgement = test.judge(LOAD, READ, COUNT);
    assertEquals(List.of(), judgement.objections());
    assertEquals("1000 rows written and verified, 1000 rows counted", judgement.counts());
  }

  @Test
  void refusesRowsThatCouldNotBeWritten() {
    ProgramEnd end = new ProgramEnd(1, "Failed to write keys: 2\nFailed to write key: 7\n");
    assertEquals(
        List.of("exit code 1 of writes", "2 rows could not be written"),
        test.judge(end, READ, COUNT).objections());
  }

  @Test
  void refusesReadsThatFailOrFindSomethingElse() {
    ProgramEnd end =
        new ProgramEnd(
            1, "INFO util.MultiThreadedAction: [R:4] Keys=5000, verified=4990, READ FAILURES=10\n");
    assertEquals(
        List.of("exit code 1 of reads", "10 READ FAILURES"),
        test.judge(LOAD, end, COUNT).objections());
  }

  @Test
  void refusesAToolThatEndsEarly() {
    assertEquals(
        List.of("the tool does not say that all rows were written"),
        test.judge(READ, READ, COUNT).objections());
    assertEquals(
        List.of("0 rows counted of 1000 written"), test.judge(LOAD, READ, READ).objections());
  }
}
