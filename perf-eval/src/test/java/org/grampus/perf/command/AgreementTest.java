package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;

final class AgreementTest {
  private static final long ASKED = 400;

  private static Run run(long rows, double rate) {
    return new Run(
        "hbase", "randomRead", 1, rows, 1.0, rate, 1.0, 1.0, 1.0, null, null, null, null, Map.of());
  }

  private static Agreement agreement(List<Run> stock, List<Run> ours) {
    return Agreement.of(
        "hbase", AgreedWork.RANDOM_READ, ASKED, Map.of(PeClass.STOCK, stock, PeClass.OURS, ours));
  }

  private static Agreement ofRates(double stock, double ours) {
    return agreement(List.of(run(ASKED, stock)), List.of(run(ASKED, ours)));
  }

  @Test
  void runsThatAgreeHaveNoFault() {
    Agreement agreement = ofRates(100, 105);

    assertTrue(agreement.sameRows());
    assertTrue(agreement.sameRate());
    assertEquals(Optional.empty(), agreement.fault(true));
  }

  @Test
  void anotherNumberOfRowsIsAFaultWhateverTheThroughput() {
    Agreement of = agreement(List.of(run(ASKED, 100)), List.of(run(ASKED, 100), run(399, 100)));

    assertFalse(of.sameRows());
    assertEquals(
        Optional.of("randomRead on hbase: 400 rows were asked for, runs say [399, 400]"),
        of.fault(false));
  }

  @Test
  void theSameWrongNumberInAllRunsIsAFault() {
    assertTrue(agreement(List.of(run(399, 100)), List.of(run(399, 100))).fault(false).isPresent());
  }

  @Test
  void throughputIsAFaultOnlyWhereItIsRequired() {
    assertEquals(Optional.empty(), ofRates(100, 80).fault(false));
    assertEquals(
        Optional.of("randomRead on hbase: ours is at 0.80 of HBase's throughput"),
        ofRates(100, 80).fault(true));
    assertFalse(ofRates(100, 112).sameRate());
    assertTrue(ofRates(100, 91).sameRate());
  }

  @Test
  void ratesAreOfTheSecondsOfAllRuns() {
    // 4 s and 1 s
    Agreement agreement =
        agreement(List.of(run(ASKED, 100), run(ASKED, 400)), List.of(run(ASKED, 160)));

    assertEquals(160, agreement.stockRate(), 1e-9);
    assertEquals(1, agreement.ratio(), 1e-9);
  }
}
