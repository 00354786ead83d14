package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.grampus.server.memory.MemoryLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineSettingsTest {
  private static final MemoryBudget MEMORY =
      new MemoryBudget(new MemoryLimits(100 << 20, 1, 1, 1, 2), 40 << 20, 40 << 20);

  private final Configuration conf = HBaseConfiguration.create();

  private JsonObject settings() throws StartupException {
    return JsonParser.parseString(EngineSettings.of(conf, MEMORY).json()).getAsJsonObject();
  }

  @Test
  void theEngineTakesTheSettings() throws StartupException {
    JsonObject json = settings();
    NativeEngine.open(EngineSettings.of(conf, MEMORY)).close();
    assertEquals(MEMORY.limits().largeReads(), json.get("largeReadBytes").getAsLong());
  }

  @Test
  void logsOfAClusterOutliveTheirMachineUnlessThatIsTheOnlyOne() throws StartupException {
    assertEquals(EngineConfig.Sync.FLUSH, EngineSettings.of(conf, MEMORY).wal().walSync());
    EngineConfig member = EngineSettings.ofMember(conf, MEMORY);
    assertEquals(EngineConfig.Sync.MACHINE, member.wal().walSync());
    NativeEngine.open(member).close();
    conf.setBoolean("grampus.wal.one.machine", true);
    assertEquals(EngineConfig.Sync.FLUSH, EngineSettings.ofMember(conf, MEMORY).wal().walSync());
    conf.setBoolean("hbase.wal.hsync", true);
    assertEquals(EngineConfig.Sync.FSYNC, EngineSettings.of(conf, MEMORY).wal().walSync());
    assertEquals(EngineConfig.Sync.FSYNC, EngineSettings.ofMember(conf, MEMORY).wal().walSync());
  }

  @Test
  void theSearchForAPatternEnds() {
    assertEquals(5000, EngineSettings.matchLimits(conf).millis());
    conf.setLong("grampus.pattern.timeout.ms", 70);
    assertEquals(70, EngineSettings.matchLimits(conf).millis());
    conf.setLong("grampus.pattern.timeout.ms", 0);
    assertThrows(IllegalArgumentException.class, () -> EngineSettings.matchLimits(conf));
  }

  @Test
  void compactionsFollowHBasesDefaults() throws StartupException {
    JsonObject json = settings();
    assertEquals(2, json.get("flushThreads").getAsInt());
    assertEquals(1, json.get("smallCompactionThreads").getAsInt());
    assertEquals(1, json.get("largeCompactionThreads").getAsInt());
    assertTrue(json.get("compactions").getAsBoolean());
    assertEquals(90_000, json.get("blockingWaitMillis").getAsLong());
    assertEquals(50 << 20, json.get("compactionBytesPerSecond").getAsLong());
    assertEquals(100 << 20, json.get("compactionBytesPerSecondMax").getAsLong());
  }

  @Test
  void everyKeyOfCompactionsIsObeyed() throws StartupException {
    conf.setInt("hbase.hstore.flusher.count", 3);
    conf.setInt("hbase.regionserver.thread.compaction.small", 4);
    conf.setInt("hbase.regionserver.thread.compaction.large", 5);
    conf.setBoolean("hbase.regionserver.compaction.enabled", false);
    conf.setLong("hbase.hstore.blockingWaitTime", 6);
    conf.setLong("hbase.hstore.compaction.throughput.lower.bound", 7);
    conf.setLong("hbase.hstore.compaction.throughput.higher.bound", 8);
    JsonObject json = settings();
    assertEquals(3, json.get("flushThreads").getAsInt());
    assertEquals(4, json.get("smallCompactionThreads").getAsInt());
    assertEquals(5, json.get("largeCompactionThreads").getAsInt());
    assertFalse(json.get("compactions").getAsBoolean());
    assertEquals(6, json.get("blockingWaitMillis").getAsLong());
    assertEquals(7, json.get("compactionBytesPerSecond").getAsLong());
    assertEquals(8, json.get("compactionBytesPerSecondMax").getAsLong());
  }

  @Test
  void noLimitIsHBasesControllerWithoutOne() throws StartupException {
    conf.set(
        "hbase.regionserver.throughput.controller",
        "org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController");
    assertFalse(settings().has("compactionBytesPerSecond"));
  }

  @Test
  void thereIsNoSecondTierUnlessItIsAskedFor() throws StartupException {
    assertFalse(settings().has("blockCacheTier"));
  }

  @Test
  void theEngineTakesTheSecondTier(@TempDir Path directory) throws StartupException {
    conf.set(
        "hbase.bucketcache.ioengine",
        "files:" + directory.resolve("a") + "," + directory.resolve("b"));
    conf.set("hbase.bucketcache.size", "4");
    JsonObject json = settings();
    NativeEngine.open(EngineSettings.of(conf, MEMORY)).close();
    assertEquals(MEMORY.limits().largeReads(), json.get("largeReadBytes").getAsLong());
    assertTrue(Files.exists(directory.resolve("b")));
  }
}
