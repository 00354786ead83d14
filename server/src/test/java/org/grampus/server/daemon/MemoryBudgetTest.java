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

  @Test
  void whatTheJvmAndTheEnginesBuffersTakeComesOutOfTheTotalBeforeTheFractions()
      throws StartupException {
    long heap = Runtime.getRuntime().maxMemory();
    long direct = 8L << 20;
    long jvm = heap + (192L << 20) + direct;
    long total = 16 * heap;
    conf.setLong("grampus.memory.direct.bytes", direct);
    conf.setLong(TOTAL, total);
    conf.set(MEMSTORE, "0.25");
    conf.set(CACHE, "0.5");
    MemoryBudget budget = MemoryBudget.from(conf);
    assertEquals(direct, budget.limits().direct());
    assertEquals(total, budget.total());
    long buffers = (96L << 20) + total / 64;
    long shared = (total - jvm - buffers) / 4 * 5;
    assertEquals(shared / 4, budget.memstore());
    long reads = budget.limits().scanners() + budget.limits().largeReads();
    assertEquals(total / 16, reads);
    assertEquals(shared / 2, budget.blockCache() + reads);
  }

  @Test
  void theLargestFractionsTakeAllThatIsLeft() throws StartupException {
    conf.set(TOTAL, "64g");
    MemoryBudget budget = MemoryBudget.from(conf);
    long jvm = Runtime.getRuntime().maxMemory() + (192L << 20) + budget.limits().direct();
    long buffers = (96L << 20) + budget.total() / 64;
    long reads = budget.limits().scanners() + budget.limits().largeReads();
    long all = jvm + reads + buffers + budget.memstore() + budget.blockCache();
    assertTrue(Math.abs(budget.total() - all) < 1 << 20, "but for the fractions' rounding: " + all);
  }

  @Test
  void aHeapThatTakesEverythingLeavesAThird() throws StartupException {
    long heap = Runtime.getRuntime().maxMemory();
    conf.setLong(TOTAL, heap);
    conf.set(MEMSTORE, "0.5");
    conf.set(CACHE, "0.25");
    long third = heap / 3;
    assertEquals(third / 2, MemoryBudget.from(conf).memstore());
  }

  @Test
  void theBlockCacheKeepsHalfOfItsFraction() throws StartupException {
    long heap = Runtime.getRuntime().maxMemory();
    conf.setLong(TOTAL, heap);
    conf.set(CACHE, "0.25");
    MemoryBudget budget = MemoryBudget.from(conf);
    assertEquals(heap / 3 / 4 / 2, budget.blockCache());
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
