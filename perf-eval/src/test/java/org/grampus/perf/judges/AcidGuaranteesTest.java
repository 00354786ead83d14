package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.grampus.perf.process.ProgramEnd;
import org.junit.jupiter.api.Test;

final class AcidGuaranteesTest {
  private static final String GOOD =
      """
      2026-11-26 22:00:00,000 INFO hbase.AcidGuaranteesTestTool: Finished test. Writers:
      2026-11-26 22:00:00,000 INFO hbase.AcidGuaranteesTestTool:   wrote 100
      2026-11-26 22:00:00,000 INFO hbase.AcidGuaranteesTestTool:   wrote 20
      2026-11-26 22:00:00,000 INFO hbase.AcidGuaranteesTestTool: Readers:
      2026-11-26 22:00:00,000 INFO hbase.AcidGuaranteesTestTool:   read 300
      2026-11-26 22:00:00,000 INFO hbase.AcidGuaranteesTestTool: Scanners:
      2026-11-26 22:00:00,000 INFO hbase.AcidGuaranteesTestTool:   scanned 40
      2026-11-26 22:00:00,000 INFO hbase.AcidGuaranteesTestTool:   verified 120 rows
      """;

  @Test
  void sumsWhatThreadsSay() {
    Judgement judgement = AcidGuarantees.judge(new ProgramEnd(0, GOOD));
    assertEquals(List.of(), judgement.objections());
    assertEquals("120 rows written, 300 read, 40 scans", judgement.counts());
  }

  @Test
  void refusesATornRow() {
    String torn =
        """
        ERROR hbase.AcidGuaranteesTestTool: Exiting due to error
        java.lang.RuntimeException: Failed after 4711!Expected=\\x01Got:
        """;
    assertEquals(
        List.of(
            "exit code 255",
            "no thread has said what it wrote",
            "no thread has said what it read",
            "no thread has said what it scanned",
            "a reader has seen a row with two values"),
        AcidGuarantees.judge(new ProgramEnd(255, torn)).objections());
  }

  @Test
  void refusesReadersThatHaveReadNothing() {
    assertEquals(
        List.of("no thread has said what it scanned"),
        AcidGuarantees.judge(new ProgramEnd(0, GOOD.replace("scanned 40", "scanned 0")))
            .objections());
  }
}
