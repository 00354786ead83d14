package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void theHeapComesOutOfTheTotalBeforeTheFractions() throws StartupException {
    long heap = Runtime.getRuntime().maxMemory();
    conf.setLong(TOTAL, heap * 5);
    conf.set(MEMSTORE, "0.25");
    conf.set(CACHE, "0.5");
    assertEquals(new MemoryBudget(heap * 5, heap, heap * 2), MemoryBudget.from(conf));
  }

  @Test
  void aHeapThatTakesEverythingLeavesHalf() throws StartupException {
    long heap = Runtime.getRuntime().maxMemory();
    conf.setLong(TOTAL, heap);
    conf.set(MEMSTORE, "0.5");
    conf.set(CACHE, "0.25");
    long half = heap / 2;
    assertEquals(new MemoryBudget(heap, half / 2, half / 4), MemoryBudget.from(conf));
  }

  @Test
  void theTotalMayHaveASuffixAndDefaultsToPartOfTheMachine() throws StartupException {
    assertTrue(MemoryBudget.from(conf).total() > 0);
    conf.set(TOTAL, "64g");
    assertEquals(64L << 30, MemoryBudget.from(conf).total());
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
