package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AgreedWorkTest {
  @Test
  void bothClassesAreAskedForTheSameRows() {
    List<String> stock = AgreedWork.RANDOM_READ.arguments(PeClass.STOCK, 100);
    List<String> ours = AgreedWork.RANDOM_READ.arguments(PeClass.OURS, 100);

    assertEquals(List.of("pe", "--nomapred", "--rows=40", "randomRead", "4"), ours);
    assertEquals(List.of("pe", "--stock", "--nomapred", "--rows=40", "randomRead", "4"), stock);
    assertEquals(160, AgreedWork.RANDOM_READ.rows(100));
    assertEquals(400, AgreedWork.SCAN.rows(100));
  }
}
