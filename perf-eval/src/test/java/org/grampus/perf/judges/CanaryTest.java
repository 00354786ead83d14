package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.grampus.perf.process.ProgramEnd;
import org.junit.jupiter.api.Test;

final class CanaryTest {
  private static final String FIRST = "a,,1764195000000.0123456789abcdef0123456789abcdef.";
  private static final String SECOND = "a,\\x00 5,1764195000000.fedcba9876543210fedcba9876543210.";
  private static final String GOOD = line(FIRST, "f") + line(FIRST, "g") + line(SECOND, "f");

  private static String line(String region, String family) {
    return "2026-11-26 22:00:00,000 INFO tool.CanaryTool: Read from "
        + region
        + " on 127.0.0.1,16020,1764195000000 "
        + family
        + " in 3ms\n";
  }

  @Test
  void acceptsWhenEachRegionIsRead() {
    Judgement judgement = Canary.judge(new ProgramEnd(0, GOOD), Set.of(FIRST, SECOND));
    assertEquals(List.of(), judgement.objections());
    assertEquals("2 regions read", judgement.counts());
  }

  @Test
  void refusesARegionThatWasNotRead() {
    assertEquals(
        List.of(SECOND + " was not read"),
        Canary.judge(new ProgramEnd(0, line(FIRST, "f")), Set.of(FIRST, SECOND)).objections());
  }

  @Test
  void refusesAnErrorAndAnExitCode() {
    String error = "2026-11-26 22:00:00,000 ERROR tool.CanaryTool: Read from x failed\n";
    assertEquals(
        List.of("exit code 5", "it says: ERROR tool.CanaryTool: Read from x failed"),
        Canary.judge(new ProgramEnd(5, GOOD + error), Set.of(FIRST, SECOND)).objections());
  }
}
