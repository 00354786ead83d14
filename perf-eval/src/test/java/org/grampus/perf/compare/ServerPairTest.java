package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ServerPlan;
import org.junit.jupiter.api.Test;

final class ServerPairTest {
  private static final long MEMORY_MB = 4096;
  private static final Checkout CHECKOUT = new Checkout(Path.of("/checkout"));

  private static ServerPlan plan(Other other) {
    return ServerPair.other(other, MEMORY_MB);
  }

  @Test
  void resultsCallEachKindOfServerByAnotherName() {
    assertEquals("grampus", ServerPair.grampus(MEMORY_MB).name());
    assertEquals("hbase", plan(Other.HBASE).name());
    assertEquals("earlier", plan(Other.earlier(CHECKOUT)).name());
    assertEquals("unobserved", plan(Other.unobserved(CHECKOUT)).name());
  }

  @Test
  void eachKindHasRoomForTheConnectionsOfAllRows() {
    for (ServerPlan plan : List.of(ServerPair.grampus(MEMORY_MB), plan(Other.HBASE))) {
      assertEquals("2000", plan.settings().get("hbase.zookeeper.property.maxClientCnxns"));
    }
  }

  @Test
  void memoryOfAnHBaseIsItsHeap() {
    assertEquals(ServerKind.HBASE, plan(Other.HBASE).kind());
    assertEquals(MEMORY_MB, plan(Other.HBASE).heapMb());
  }

  @Test
  void anotherGrampusDiffersByNameAndCheckoutAlone() {
    assertEquals(
        ServerPair.grampus(MEMORY_MB).from("earlier", CHECKOUT), plan(Other.earlier(CHECKOUT)));
    assertEquals(
        ServerPair.grampus(MEMORY_MB).from("unobserved", CHECKOUT),
        plan(Other.unobserved(CHECKOUT)));
  }
}
