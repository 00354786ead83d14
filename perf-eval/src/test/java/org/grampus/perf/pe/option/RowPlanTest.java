package org.grampus.perf.pe.option;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.grampus.perf.pe.key.MetaKeys;
import org.junit.jupiter.api.Test;

final class RowPlanTest {
  private static RowPlan plan(String line) {
    return RowPlan.of(PeOptions.parse(List.of(line.split(" "))));
  }

  private static List<Share> shares(RowPlan plan) {
    return IntStream.range(0, plan.clients()).mapToObj(plan::share).toList();
  }

  @Test
  void clientsGoOnWhereOthersEnd() {
    assertEquals(
        List.of(new Share(0, 10), new Share(10, 10), new Share(20, 10)),
        shares(plan("--rows=10 sequentialWrite 3")));
  }

  @Test
  void rowsThatDoNotComeOutAreNotLost() {
    RowPlan plan = plan("--size=2 --valueSize=5000000 sequentialWrite 3");

    assertEquals(428, plan.total());
    assertEquals(
        List.of(new Share(0, 143), new Share(143, 143), new Share(286, 142)), shares(plan));
  }

  @Test
  void wholeSizesHaveAsManyRowsAsHBase() {
    long perGib = (1 << 30) / (1000 * 2 * 3);

    assertEquals(3 * perGib, plan("--size=3 --families=2 --columns=3 scan 1").total());
    assertEquals(3 * ((1 << 30) / 500), plan("--size=3 --valueRandom sequentialWrite 1").total());
  }

  @Test
  void fractionsOfASizeCount() {
    assertEquals(1_073_741 / 2, plan("--size=0.5 sequentialWrite 1").total());
    assertEquals(2_040_107, plan("--size=1.9 sequentialWrite 1").total());
  }

  @Test
  void sizesAreLongs() {
    assertEquals(
        5000L * (1 << 30) / 1, plan("--size=5000 --valueSize=1 sequentialWrite 1").total());
    assertEquals(8_000_000_000L, plan("--rows=4000000000 sequentialWrite 2").total());
  }

  @Test
  void readsByChanceTakeSomeRowsOutOfASize() {
    RowPlan plan = plan("--size=2 --rows=100 randomRead 2");

    assertEquals(2 * 1_073_741, plan.total());
    assertEquals(200, plan.asked());
    assertEquals(new Share(100, 100), plan.share(1));
  }

  @Test
  void aStartIsThatOfEveryClientAsInHBase() {
    assertEquals(
        List.of(new Share(5, 10), new Share(5, 10)),
        shares(plan("--startRow=5 --rows=10 sequentialRead 2")));
  }

  @Test
  void keysOfMetaHaveTheSameWidthInAllClients() {
    // HBase's width is that of the rows of a client, rounded down: here of 99
    RowPlan plan = plan("--size=0.1999 --valueSize=1073741 metaRandomRead 2");

    assertEquals(List.of(100L, 99L), shares(plan).stream().map(Share::rows).toList());
    assertEquals(new MetaKeys(2), plan.metaKeys());
  }

  @Test
  void clientsOfAtomicTestsShareTheirRows() {
    assertEquals(
        List.of(new Share(0, 10), new Share(0, 10)), shares(plan("--rows=10 increment 2")));
  }
}
