package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionFanOutTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private static List<OnlineRegion> regions(TableName table, int count) {
    List<OnlineRegion> regions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      regions.add(
          new OnlineRegion(
              RegionInfoBuilder.newBuilder(table)
                  .setStartKey(Bytes.toBytes(i))
                  .setEndKey(Bytes.toBytes(i + 1))
                  .build(),
              TableDescriptorBuilder.newBuilder(table).build(),
              null,
              1));
    }
    return regions;
  }

  @Test
  void everyRegionIsVisitedOnce() throws Exception {
    List<OnlineRegion> regions = regions(TABLE, 20);
    Set<OnlineRegion> visited = ConcurrentHashMap.newKeySet();
    AtomicInteger visits = new AtomicInteger();
    new RegionFanOut("test", 3)
        .run(
            regions,
            region -> {
              visited.add(region);
              visits.incrementAndGet();
            });
    assertEquals(Set.copyOf(regions), visited);
    assertEquals(20, visits.get());
  }

  @Test
  void regionsAreVisitedSomeAtATime() throws Exception {
    CountDownLatch together = new CountDownLatch(3);
    new RegionFanOut("test", 3).run(regions(TABLE, 3), region -> meet(together));
    assertEquals(0, together.getCount());
  }

  private static void meet(CountDownLatch together) throws IOException {
    together.countDown();
    try {
      assertTrue(together.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Test
  void theFirstFailureEndsTheRun() {
    AtomicInteger visits = new AtomicInteger();
    IOException failure =
        assertThrows(
            IOException.class,
            () ->
                new RegionFanOut("test", 1)
                    .run(
                        regions(TABLE, 1000),
                        region -> {
                          if (visits.incrementAndGet() == 1) {
                            throw new IllegalStateException("the disk is full");
                          }
                        }));
    assertEquals("the disk is full", failure.getMessage());
    assertTrue(failure.getCause() instanceof IllegalStateException);
  }

  @Test
  void theRegistryKnowsTheRegionsOfATable() {
    RegionRegistry registry = new RegionRegistry(() -> ServerName.valueOf("h", 1, 1));
    List<OnlineRegion> ours = regions(TABLE, 2);
    ours.forEach(registry::add);
    regions(TableName.valueOf("other"), 3).forEach(registry::add);
    assertEquals(Set.copyOf(ours), Set.copyOf(registry.ofTable(TABLE)));
  }
}
