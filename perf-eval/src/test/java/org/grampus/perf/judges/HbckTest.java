package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.grampus.perf.process.ProgramEnd;
import org.junit.jupiter.api.Test;

final class HbckTest {
  private static final String GOOD =
      """
      Number of live region servers: 3
      Number of requests: 0
      Summary:
      Table a is okay.
          Number of regions: 6
          Deployed on:  127.0.0.1,1,1
      Table hbase:meta is okay.
          Number of regions: 1
          Deployed on:  127.0.0.1,1,1
      0 inconsistencies detected.
      Status: OK
      """;

  @Test
  void acceptsWhenEveryTableIsOkay() {
    Judgement judgement = Hbck.judge(new ProgramEnd(0, GOOD), Set.of("a"));
    assertEquals(List.of(), judgement.objections());
    assertEquals("2 tables of 7 regions are okay", judgement.counts());
  }

  @Test
  void refusesATableThatItHasNotSeen() {
    assertEquals(
        List.of("it does not say that b is okay"),
        Hbck.judge(new ProgramEnd(0, GOOD), Set.of("b")).objections());
  }

  @Test
  void refusesInconsistencies() {
    String bad =
        """
        ERROR: There is a hole in the region chain between 3 and 5.
        Summary:
        Table a is inconsistent.
            Number of regions: 6
        1 inconsistencies detected.
        Status: INCONSISTENT
        """;
    assertEquals(
        List.of(
            "exit code 1",
            "Table a is inconsistent.",
            "it does not say that a is okay",
            "ERROR: There is a hole in the region chain between 3 and 5.",
            "it does not say that nothing is inconsistent",
            "its status is not OK"),
        Hbck.judge(new ProgramEnd(1, bad), Set.of("a")).objections());
  }

  /** As hbck printed it of a cluster whose master had not cleared away the parent of a split. */
  @Test
  void refusesErrorsBesideTablesThatAreOkay() {
    String bad =
        GOOD.replace(
            "0 inconsistencies detected.\nStatus: OK",
            """
            ERROR: Found unknown server, some of the regions held by this server may not get assigned.
            1 inconsistencies detected.
            Status: INCONSISTENT""");
    assertEquals(
        List.of(
            "exit code 255",
            "ERROR: Found unknown server, some of the regions held by this server may not get"
                + " assigned.",
            "it does not say that nothing is inconsistent",
            "its status is not OK"),
        Hbck.judge(new ProgramEnd(255, bad), Set.of("a")).objections());
  }

  @Test
  void refusesAnEmptyOutput() {
    assertEquals(
        List.of(
            "it does not say that a is okay",
            "it does not say that nothing is inconsistent",
            "its status is not OK"),
        Hbck.judge(new ProgramEnd(0, ""), Set.of("a")).objections());
  }
}
