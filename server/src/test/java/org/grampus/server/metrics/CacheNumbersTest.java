package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import org.grampus.engine.EngineMetrics;
import org.junit.jupiter.api.Test;

class CacheNumbersTest {
  private static final List<String> PARTS = List.of("block_cache.", "block_cache_tier.");
  private static final List<String> COUNTS =
      List.of(
          "page_count",
          "used_bytes",
          "capacity_bytes",
          "hit_count",
          "hit_caching_count",
          "miss_count",
          "miss_caching_count",
          "eviction_count",
          "file_miss_count",
          "file_miss_caching_count");

  /** Two reads found nothing in memory, of which one is still on its way to the second tier. */
  private static CacheNumbers whole(long hitsOfTier, long fileMisses) {
    JsonObject reply = new JsonObject();
    for (String part : PARTS) {
      COUNTS.forEach(count -> reply.addProperty("engine." + part + count, 0));
    }
    reply.addProperty("engine.block_cache.miss_count", 2);
    reply.addProperty("engine.block_cache_tier.hit_count", hitsOfTier);
    reply.addProperty("engine.block_cache.file_miss_count", fileMisses);
    reply.add("histograms", new JsonObject());
    reply.add("tables", new JsonObject());
    reply.add("work", new JsonArray());
    return CacheNumbers.whole(EngineMetrics.read(reply.toString()));
  }

  @Test
  void missesDoNotGoBackWhenTheSecondTierAnswers() {
    assertEquals(1, whole(0, 1).misses());
    CacheNumbers answered = whole(1, 1);
    assertEquals(1, answered.misses());
    assertEquals(1, answered.hits());
    assertEquals(0.5, answered.hitRatio());
  }
}
