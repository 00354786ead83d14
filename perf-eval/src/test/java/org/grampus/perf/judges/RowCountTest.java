package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.grampus.perf.process.ProgramEnd;
import org.junit.jupiter.api.Test;

final class RowCountTest {
  private static final RowCount COUNT = new RowCount(1000);

  @Test
  void takesTheCountOfTheWholeJob() {
    Judgement judgement = COUNT.judge(new ProgramEnd(0, "\t\tROWS=400\n\t\tROWS=1000\n"));
    assertEquals(List.of(), judgement.objections());
    assertEquals("1000 rows counted", judgement.counts());
  }

  @Test
  void refusesRowsThatAreMissingOrThereTwice() {
    assertEquals(
        List.of("999 rows counted of 1000 written"),
        COUNT.judge(new ProgramEnd(0, "\t\tROWS=999\n")).objections());
    assertEquals(
        List.of("1001 rows counted of 1000 written"),
        COUNT.judge(new ProgramEnd(0, "\t\tROWS=1001\n")).objections());
  }

  @Test
  void refusesAFailedProgram() {
    assertEquals(
        List.of("exit code 255"), COUNT.judge(new ProgramEnd(255, "\t\tROWS=1000\n")).objections());
  }
}
