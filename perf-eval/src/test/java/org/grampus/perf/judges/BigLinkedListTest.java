package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.grampus.perf.process.ProgramEnd;
import org.junit.jupiter.api.Test;

final class BigLinkedListTest {
  private static final String GROUP =
      "\torg.apache.hadoop.hbase.test.IntegrationTestBigLinkedList$Verify$VerifyCounts\n";

  private final BigLinkedList list = new BigLinkedList(200_000);

  @Test
  void rowsAreWholeCircles() {
    assertEquals(200_000, list.rows());
    assertEquals(50_000, new BigLinkedList(1).rows());
    assertEquals(150_000, new BigLinkedList(199_999).rows());
  }

  @Test
  void acceptsWhenEachRowIsReferenced() {
    Judgement judgement = list.judge(end(0, "\t\tREFERENCED=100000\n\t\tREFERENCED=200000\n"));
    assertEquals(List.of(), judgement.objections());
    assertEquals("200000 rows referenced", judgement.counts());
  }

  @Test
  void refusesRowsThatAreMissing() {
    assertEquals(
        List.of("199999 rows are referenced of 200000 written", "1 rows are UNDEFINED"),
        list.judge(end(0, "\t\tREFERENCED=199999\n\t\tUNDEFINED=1\n")).objections());
  }

  @Test
  void refusesEachBadCount() {
    for (String name :
        List.of("UNREFERENCED", "UNDEFINED", "CORRUPT", "EXTRAREFERENCES", "LOST_FAMILIES")) {
      assertEquals(
          List.of("3 rows are " + name),
          list.judge(end(0, "\t\tREFERENCED=200000\n\t\t" + name + "=3\n")).objections());
    }
  }

  @Test
  void refusesAFailedProgramAndAnEmptyOutput() {
    assertEquals(
        List.of("exit code 1"), list.judge(end(1, "\t\tREFERENCED=200000\n")).objections());
    assertEquals(
        List.of("0 rows are referenced of 200000 written"),
        list.judge(new ProgramEnd(0, "")).objections());
  }

  private static ProgramEnd end(int code, String counters) {
    return new ProgramEnd(code, "INFO mapreduce.Job: Counters: 36\n" + GROUP + counters);
  }
}
