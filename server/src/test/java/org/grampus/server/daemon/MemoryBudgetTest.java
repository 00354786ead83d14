package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.internal.PlatformDependent;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBudgetTest {
  private static final String TOTAL = "grampus.memory.bytes";
  private static final String MEMSTORE = "hbase.regionserver.global.memstore.size";
  private static final String CACHE = "hfile.block.cache.size";

  private final Configuration conf = new Configuration(false);

  private String refusal() {
    return assertThrows(StartupException.class, () -> MemoryBudget.from(conf)).getMessage();
  }

  /** What is left of a total when JVM and the engine's buffers have theirs. */
  private static long left(long total) {
    return total - Runtime.getRuntime().maxMemory() - (192L << 20) - total / 16;
  }

  private static void assertNear(double expected, long actual) {
    assertEquals(expected, (double) actual, 1 << 20);
  }

  @Test
  void whatClientsTakeIsLentByTheCache() throws StartupException {
    long total = 64L << 30;
    conf.setLong("grampus.memory.direct.bytes", 8L << 20);
    conf.setLong(TOTAL, total);
    conf.set(MEMSTORE, "0.2");
    conf.set(CACHE, "0.6");
    MemoryBudget budget = MemoryBudget.from(conf);
    assertEquals(8L << 20, budget.limits().direct());
    assertEquals(total / 16, budget.limits().scanners());
    assertEquals(total, budget.total());
    assertNear(left(total) / 4.0, budget.memstore());
    assertNear(left(total) / 4.0 * 3, budget.blockCache());
  }

  @Test
  void whatTheCacheCannotLendIsSetApart() throws StartupException {
    long total = 64L << 30;
    conf.setLong(TOTAL, total);
    conf.set(MEMSTORE, "0.7");
    conf.set(CACHE, "0.05");
    MemoryBudget budget = MemoryBudget.from(conf);
    double clients = budget.limits().direct() + budget.limits().scanners();
    double apart = clients - budget.blockCache() * 0.5;
    assertTrue(apart > 1 << 30, "the scanners alone have 4 GiB");
    assertNear((left(total) - apart) / 0.8 * 0.7, budget.memstore());
    conf.set(CACHE, "0");
    assertNear((left(total) - clients) / 0.8 * 0.7, MemoryBudget.from(conf).memstore());
  }

  @Test
  void aHeapThatTakesEverythingLeavesAThird() throws StartupException {
    long heap = Runtime.getRuntime().maxMemory();
    conf.setLong(TOTAL, heap);
    conf.set(MEMSTORE, "0.5");
    conf.set(CACHE, "0.25");
    long third = heap / 3;
    assertEquals(third / 2, MemoryBudget.from(conf).memstore());
    assertEquals(third / 4, MemoryBudget.from(conf).blockCache());
  }

  @Test
  void theTotalMayHaveASuffixAndDefaultsToPartOfTheMachine() throws StartupException {
    assertTrue(MemoryBudget.from(conf).total() > 0);
    conf.set(TOTAL, "64g");
    assertEquals(64L << 30, MemoryBudget.from(conf).total());
  }

  @Test
  void directBuffersAreAPartOfTheTotal() throws StartupException {
    conf.setLong(TOTAL, 400L << 20);
    assertEquals(100L << 20, MemoryBudget.from(conf).limits().direct());
    conf.set(TOTAL, "2g");
    assertEquals(512L << 20, MemoryBudget.from(conf).limits().direct());
    conf.set(TOTAL, "4g");
    assertEquals(512L << 20, MemoryBudget.from(conf).limits().direct());
    conf.set(TOTAL, "5g");
    assertEquals(640L << 20, MemoryBudget.from(conf).limits().direct());
    conf.set(TOTAL, "1000g");
    assertTrue(MemoryBudget.from(conf).limits().direct() <= PlatformDependent.maxDirectMemory());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0.1", "0.81", "NaN"})
  void aFractionOutOfRangeIsRefusedByName(String fraction) {
    conf.set(CACHE, fraction);
    String message = refusal();
    assertTrue(message.startsWith(CACHE), message);
  }

  @Test
  void fractionsThatLeaveTooLittleAreRefused() {
    conf.set(MEMSTORE, "0.5");
    conf.set(CACHE, "0.4");
    String message = refusal();
    assertTrue(message.contains(MEMSTORE) && message.contains(CACHE), message);
  }
}
