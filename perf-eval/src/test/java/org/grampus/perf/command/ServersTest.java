package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class ServersTest {
  @Test
  void eachSizeIsMeasuredOnceInARound() throws ToolException {
    assertEquals(List.of(1, 2, 3), Servers.sizes(List.of(3, 1, 2, 3)));
  }

  @Test
  void oneSizeHasNothingToBeComparedWith() {
    for (List<Integer> servers : List.of(List.of(2), List.of(2, 2))) {
      String why = assertThrows(ToolException.class, () -> Servers.sizes(servers)).getMessage();

      assertTrue(why.startsWith("--servers needs two numbers at least"), why);
    }
  }

  @Test
  void everySecondRoundBeginsWithTheLargestCluster() {
    assertEquals(List.of(1, 2, 3), Servers.ofRound(1, List.of(1, 2, 3)));
    assertEquals(List.of(3, 2, 1), Servers.ofRound(2, List.of(1, 2, 3)));
    assertEquals(List.of(1, 2, 3), Servers.ofRound(3, List.of(1, 2, 3)));
  }
}
