package org.grampus.perf.pe.option;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.grampus.perf.pe.key.MetaKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    assertEquals(418, plan.total());
    assertEquals(
        List.of(new Share(0, 140), new Share(140, 139), new Share(279, 139)), shares(plan));
  }

  /** Of numbers where HBase's class neither cuts a fraction off nor leaves a rest out. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sequentialWrite 1",
        "sequentialWrite 3",
        "--rows=10 sequentialWrite 3",
        "--size=3 sequentialWrite 1",
        "--size=2 sequentialWrite 4",
        "--size=3 --families=2 --columns=3 scan 1",
        "--size=3 --valueRandom sequentialWrite 1",
        "--size=2 --valueSize=300 sequentialWrite 1",
        "--size=2 --rows=100 sequentialWrite 4",
        "--size=2 --rows=100 randomRead 2",
        "--size=2 --rows=100 randomSeekScan 2",
        "--size=2 randomRead 2"
      })
  void clientsHaveAsManyRowsAsThoseOfHBase(String line) throws ReflectiveOperationException {
    Object stock = stock(line);
    RowPlan plan = plan(line);

    assertEquals(number(stock, "getTotalRows"), plan.total());
    assertEquals(number(stock, "getPerClientRunRows"), plan.share(0).rows());
  }

  /** The options of HBase's class, which computes its rows where it parses them. */
  private static Object stock(String line) throws ReflectiveOperationException {
    Method parse = PerformanceEvaluation.class.getDeclaredMethod("parseOpts", Queue.class);
    parse.setAccessible(true);
    return parse.invoke(null, new ArrayDeque<>(List.of(line.split(" "))));
  }

  private static int number(Object options, String getter) throws ReflectiveOperationException {
    Method method = options.getClass().getDeclaredMethod(getter);
    method.setAccessible(true);
    return (int) method.invoke(options);
  }

  @Test
  void fractionsOfASizeCount() {
    assertEquals(1_048_576 / 2, plan("--size=0.5 sequentialWrite 1").total());
    assertEquals(1_992_294, plan("--size=1.9 sequentialWrite 1").total());
  }

  @Test
  void sizesAreLongs() {
    assertEquals(
        5000L * 1_048_576_000, plan("--size=5000 --valueSize=1 sequentialWrite 1").total());
    assertEquals(8_000_000_000L, plan("--rows=4000000000 sequentialWrite 2").total());
  }

  @Test
  void readsByChanceTakeSomeRowsOutOfASize() {
    RowPlan plan = plan("--size=2 --rows=100 randomRead 2");

    assertEquals(2 * 1_048_576, plan.total());
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
    RowPlan plan = plan("--size=0.1999 --valueSize=1048576 metaRandomRead 2");

    assertEquals(List.of(100L, 99L), shares(plan).stream().map(Share::rows).toList());
    assertEquals(new MetaKeys(2), plan.metaKeys());
  }

  @Test
  void clientsOfAtomicTestsShareTheirRows() {
    assertEquals(
        List.of(new Share(0, 10), new Share(0, 10)), shares(plan("--rows=10 increment 2")));
  }
}
