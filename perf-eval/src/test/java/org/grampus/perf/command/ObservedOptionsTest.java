package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class ObservedOptionsTest {
  private static String refusal(ObservedOptions options) {
    return assertThrows(ToolException.class, options::require).getMessage();
  }

  @Test
  void anObservedServerIsBesideTheSameOne() {
    assertEquals(
        "--observed is beside the same Grampus, and not --against another",
        refusal(new ObservedOptions(true, false, false, false, 3)));
    assertDoesNotThrow(new ObservedOptions(false, false, false, false, 1)::require);
  }

  @Test
  void aSinkIsOfOneServer() {
    assertEquals(
        "--observed is not for --hdfs: the stock HMaster there would begin the file of the region"
            + " server's sink anew, whose properties it reads as well",
        refusal(new ObservedOptions(false, true, false, false, 3)));
  }

  @Test
  void pagesAreAskedForInTurnsAlone() {
    assertEquals(
        "--observed is not for --at-once: what asks for the pages of the one server would take of"
            + " the other one's time",
        refusal(new ObservedOptions(false, false, true, false, 3)));
  }

  @Test
  void goalThatIsRequiredNeedsRounds() {
    assertEquals(
        "--observed --require needs --rounds 3 at least: two processes of the same server differ by"
            + " more than the goal",
        refusal(new ObservedOptions(false, false, false, true, 2)));
    assertDoesNotThrow(new ObservedOptions(false, false, false, true, 3)::require);
  }
}
