package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class CompareOptionsTest {
  private static CompareOptions options(int rounds, String... given) {
    return new CompareOptions(Set.of(given), rounds);
  }

  private static String refusal(CompareOptions options) {
    return assertThrows(ToolException.class, options::require).getMessage();
  }

  @Test
  void anObservedServerIsBesideTheSameOne() {
    assertEquals(
        "--observed is beside the same Grampus, and not --against another",
        refusal(options(3, "--against", "--observed")));
    assertDoesNotThrow(options(1, "--observed")::require);
  }

  @Test
  void aSinkIsOfOneServer() {
    assertEquals(
        "--observed is not for --hdfs: the stock HMaster there would begin the file of the region"
            + " server's sink anew, whose properties it reads as well",
        refusal(options(3, "--hdfs", "--observed")));
  }

  @Test
  void pagesAreAskedForInTurnsAlone() {
    assertEquals(
        "--observed cannot be combined with --at-once: requests for the pages of one server would"
            + " take processor time of the other. Leave one of them out",
        refusal(options(3, "--at-once", "--observed")));
  }

  @Test
  void noGoalIsJudgedOfServersThatWorkAtOnce() {
    assertEquals(
        "--at-once cannot be combined with --require: goals are of servers that have the machine"
            + " for themselves. Leave one of them out",
        refusal(options(3, "--at-once", "--require")));
    assertDoesNotThrow(options(1, "--at-once", "--against", "--hdfs")::require);
  }

  @Test
  void aGoalThatIsRequiredNeedsRounds() {
    assertEquals(
        "--observed --require needs --rounds 3 at least: two processes of the same server differ by"
            + " more than the goal",
        refusal(options(2, "--observed", "--require")));
    assertDoesNotThrow(options(3, "--observed", "--require")::require);
    assertDoesNotThrow(options(1, "--against", "--require")::require);
  }
}
