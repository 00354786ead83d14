package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.io.MetricsIO;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;
import org.apache.hadoop.metrics2.impl.MetricsExportHelper;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.service.ClientServiceConfig;
import org.grampus.server.service.ScannerRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedMetricsTest {
  private static final ServerName SERVER = ServerName.valueOf("localhost", 16020, 1);
  private static final String BEANS = "Hadoop:service=HBase,name=RegionServer,sub=";

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private final RegionRegistry registry = new RegionRegistry(() -> SERVER);
  @TempDir private Path directory;
  private NativeEngine engine;
  private LocalRegion region;
  private CallMetrics calls;
  private ScannerRegistry scanners;
  private PublishedMetrics published;

  /** What HBase does five seconds after a table of another test has left would end these beans. */
  @BeforeEach
  void leaveBeansAlone() {
    JmxCacheBuster.clearJmxCache(); // it can stop only what it has begun
    JmxCacheBuster.stop();
  }

  @AfterEach
  void restartHBasesTimer() {
    JmxCacheBuster.restart();
  }

  @BeforeEach
  void openEngine() {
    engine = NativeEngine.open(EngineConfig.DEFAULTS);
    region = LocalRegion.create(engine, directory);
    registry.add(region.online());
  }

  @AfterEach
  void closeEngine() {
    closeMetrics();
    region.online().engine().close(true);
    engine.close();
  }

  private void closeMetrics() {
    published.close();
    scanners.close();
    calls.close();
  }

  private void publish() {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt(HConstants.REGIONSERVER_METRICS_PERIOD, Integer.MAX_VALUE); // tests renew
    MemoryAccount memory = new MemoryAccount(1, 1, 1);
    calls = CallMetrics.open();
    scanners = new ScannerRegistry(SERVER, registry, ClientServiceConfig.from(conf), memory);
    published =
        PublishedMetrics.open(
            conf,
            new Identity(SERVER::toString, () -> "the cluster", "zk:2181", 17),
            new PublishedMetrics.Parts(engine, registry, scanners, memory, calls, true));
  }

  private Object attribute(String bean, String name) {
    return MetricRecords.now(bean).get(name);
  }

  private long number(String bean, String name) {
    return ((Number) attribute(bean, name)).longValue();
  }

  @Test
  void theFenceIsAGaugeBesideTheEnginesNumbers() {
    publish();
    assertEquals(0, number("Engine", "fence.closed"));
    published.fence(() -> false);
    assertEquals(1, number("Engine", "fence.closed"));
  }

  @Test
  void whatTheEngineCountsIsSeenOverJmxUnderHBasesNames() {
    region.put("a", "1");
    region.put("b", "2");
    region.online().engine().flush();
    region.put("c", "3");
    publish();
    assertEquals(1, number("Server", "regionCount"));
    assertEquals(1, number("Server", "storeCount"));
    assertEquals(1, number("Server", "storeFileCount"));
    assertEquals(1, number("Server", "maxStoreFileCount"));
    assertTrue(number("Server", "storeFileSize") > 0);
    assertTrue(number("Server", "memStoreSize") > 0);
    assertTrue(number("Server", "maxStoreFileAge") >= number("Server", "minStoreFileAge"));
    assertEquals(2, number("Server", "flushedCellsCount"));
    assertEquals(number("Server", "storeFileSize"), number("Server", "flushedOutputBytes"));
    assertEquals(0, number("Server", "compactionQueueLength"));
    assertEquals(0, number("Server", "blockedRequestCount"));
    assertEquals(2, number("Server", "hlogFileCount"));
    assertEquals(17, number("Server", "regionServerStartTime"));
    assertEquals(SERVER.toString(), attribute("Server", "tag.serverName"));
  }

  @Test
  void theReplicasOfLogsAndTheRollsForThemAreSeen() {
    publish();
    assertEquals(0, number("WAL", "leastReplicas"));
    published.logReplicas(() -> 2);
    published.askedForRoll();
    published.renew();
    assertEquals(2, number("WAL", "leastReplicas"));
    assertEquals(1, number("WAL", "lowReplicaRollRequest"));
  }

  @Test
  void theBlockCacheIsSeen() {
    region.put("a", "1");
    region.online().engine().flush();
    for (int i = 0; i < 4; i++) {
      assertTrue(region.has("a"));
    }
    publish();
    long hits = number("Server", "blockCacheHitCount");
    long misses = number("Server", "blockCacheMissCount");
    assertTrue(misses > 0, "the first get reads its pages");
    assertEquals(3 * misses, hits, "the others find them");
    assertEquals(hits, number("Server", "blockCacheHitCachingCount"));
    assertEquals(75.0, attribute("Server", "blockCacheExpressHitPercent"));
    assertEquals(75.0, attribute("Server", "blockCacheCountHitPercent"));
    assertEquals(
        misses + number("Engine", "block_cache.loaded_count"), number("Server", "blockCacheCount"));
    assertEquals(0, number("Server", "blockCacheEvictionCount"));
    assertEquals(
        number("Engine", "block_cache.capacity_bytes"),
        number("Server", "blockCacheSize") + number("Server", "blockCacheFreeSize"));
    assertEquals(misses, number("Engine", "files.page_reads"));
    assertTrue(number("Engine", "files.page_read_bytes") > 0);
  }

  @Test
  void memoryIsTheFirstTierAndASecondOneHasNothingWithoutSettings() {
    region.put("a", "1");
    region.online().engine().flush();
    assertTrue(region.has("a"));
    publish();
    assertEquals(number("Server", "blockCacheMissCount"), number("Server", "l1CacheMissCount"));
    assertEquals(number("Server", "blockCacheSize"), number("Server", "l1CacheSize"));
    assertEquals(0, number("Server", "l2CacheHitCount"));
    assertEquals(0, number("Server", "l2CacheSize"));
  }

  @Test
  void theSecondTierIsSeen(@TempDir Path tier) {
    registry.remove(region.online().info().getEncodedName());
    region.online().engine().close(true);
    engine.close();
    // Memory for nothing: every page goes to the second tier at once.
    engine =
        NativeEngine.open(
            EngineConfig.DEFAULTS.with(
                new EngineConfig.Memory(
                    null,
                    0L,
                    null,
                    new EngineConfig.CacheTier(
                        List.of(tier.resolve("a").toString()), 4 << 20, false, null))));
    region = LocalRegion.create(engine, directory.resolve("tiered"));
    registry.add(region.online());
    region.put("a", "1");
    region.online().engine().flush();
    for (int i = 0; i < 4; i++) {
      assertTrue(region.has("a"));
    }
    publish();
    long reads = number("Engine", "files.page_reads");
    assertTrue(reads > 0);
    assertEquals(reads, number("Server", "blockCacheMissCount"));
    assertEquals(reads, number("Server", "l2CacheMissCount"));
    assertEquals(3 * reads, number("Server", "l2CacheHitCount"));
    assertEquals(3 * reads, number("Server", "blockCacheHitCount"));
    assertEquals(0.75, attribute("Server", "l2CacheHitRatio"));
    assertEquals(0.25, attribute("Server", "l2CacheMissRatio"));
    assertEquals(0, number("Server", "l1CacheHitCount"));
    assertEquals(4 * reads, number("Server", "l1CacheMissCount"));
    assertEquals(
        number("Engine", "block_cache_tier.capacity_bytes"),
        number("Server", "l2CacheSize") + number("Server", "l2CacheFreeSize"));
    assertEquals(0, number("Engine", "block_cache_tier.drop_count"));
  }

  @Test
  void whatWasReadBeforeMarksNoMeter() {
    region.online().counters().read(1000);
    region.online().counters().write(1000);
    publish();
    published.renew();
    assertEquals(0, number("Server", "ServerReadQueryPerSecond_count"));
    assertEquals(0, number("Server", "ServerWriteQueryPerSecond_count"));
    assertEquals(1000, number("Server", "readRequestCount"));
    region.online().counters().read(3);
    published.askedForSplit();
    assertEquals(1, number("Server", "splitRequestCount"));
    published.renew();
    assertEquals(3, number("Server", "ServerReadQueryPerSecond_count"));
    assertEquals(1003, number("Server", "readRequestCount"));
  }

  /** HBase takes all beans away for it. */
  @Test
  void beansOfRegionsAndTablesForgetARegionAtOnceAndOthersStay() throws JMException {
    publish();
    ObjectName regions = new ObjectName(BEANS + "Regions");
    ObjectName tables = new ObjectName(BEANS + "Tables");
    await(() -> beans.isRegistered(tables));
    assertTrue(JmxBeans.attributes(regions).contains(ofRegion() + "_metric_readRequestCount"));
    assertTrue(JmxBeans.attributes(tables).contains("Namespace_default_table_t_metric_storeCount"));
    Set<ObjectName> away =
        JmxBeans.takenAwayBy(
            () -> {
              registry.remove(region.encodedName());
              published.renew();
              published.renew();
            });
    assertEquals(Set.of("tag.Context", "tag.Hostname"), JmxBeans.attributes(regions));
    assertFalse(
        JmxBeans.attributes(tables).contains("Namespace_default_table_t_metric_storeCount"));
    assertEquals(Set.of(regions, tables), away);
  }

  /** Regions that come are many when a server starts. */
  @Test
  void aRegionThatComesTakesNoBeanAway() throws JMException {
    registry.remove(region.encodedName());
    publish();
    ObjectName regions = new ObjectName(BEANS + "Regions");
    assertFalse(JmxBeans.attributes(regions).contains(ofRegion() + "_metric_readRequestCount"));
    Set<ObjectName> away =
        JmxBeans.takenAwayBy(
            () -> {
              registry.add(region.online());
              published.renew();
            });
    assertEquals(Set.of(), away);
    assertEquals(1, number("Server", "regionCount"));
  }

  private String ofRegion() {
    return "Namespace_default_table_t_region_" + region.encodedName();
  }

  /** Sums of regions are the server's, and nothing moves while a page sorts. */
  @Test
  void aRegionsRequestsAreThoseOfTheSnapshot() {
    region.online().counters().read(2);
    region.online().counters().write(3);
    publish();
    region.online().counters().read(100);
    region.online().counters().write(100);
    String prefix = "Namespace_default_table_t_region_" + region.encodedName() + "_metric_";
    assertEquals(2, number("Regions", prefix + "readRequestCount"));
    assertEquals(3, number("Regions", prefix + "writeRequestCount"));
    assertEquals(2, number("Server", "readRequestCount"));
    assertEquals(3, number("Tables", "Namespace_default_table_t_metric_writeRequestCount"));
    Snapshot.Region now = published.latest().regions().get(0);
    assertEquals(List.of(2L, 3L), List.of(now.reads(), now.writes()));
  }

  @Test
  void theEnginesOwnNumbersAreBesideThem() {
    region.put("a", "1");
    publish();
    assertEquals(1, number("Engine", "regions"));
    assertEquals(0, number("Engine", "wal.appends"));
    assertEquals(0, number("Engine", "memstore.stalls"));
    assertTrue(number("Engine", "memstore.bytes") > 0);
  }

  @Test
  void theFilesOfAnEmbeddedMasterAndOursAreOneRecord() {
    DefaultMetricsSystem.setMiniClusterMode(true); // names that are taken get a number
    try {
      MetricsIO.getInstance(); // as the master's store makes it
      publish();
      assertEquals(
          1,
          MetricsExportHelper.export().stream()
              .filter(record -> record.name().equals("IO"))
              .count());
    } finally {
      DefaultMetricsSystem.setMiniClusterMode(false);
    }
  }

  @Test
  void aSnapshotThatCameAfterTheCloseShowsNothing() {
    publish();
    Snapshot late = published.take(null);
    closeMetrics();
    published.show(late);
    assertEquals(List.of(), regionRecords());
    publish(); // it is closed after the test
  }

  private static List<String> regionRecords() {
    return MetricsExportHelper.export().stream()
        .map(MetricsRecord::name)
        .filter(Set.of("Regions", "Tables")::contains)
        .toList();
  }

  @Test
  void eachFlushAndCompactionIsOneOfTheServerAndOfItsTable() {
    region.put("a", "1");
    publish();
    region.online().engine().flush();
    region.put("b", "2");
    region.online().engine().flush();
    published.renew();
    published.renew();
    assertEquals(2, number("Server", "FlushTime_num_ops"));
    String table = "Namespace_default_table_t_metric_";
    assertEquals(2, number("Tables", table + "flushTime_num_ops"));
    assertEquals(2, number("Tables", table + "flushOutputSize_num_ops"));
    Map<String, Object> server = MetricRecords.now("Server");
    assertEquals(number("Server", "storeFileSize"), server.get("flushedOutputBytes"));
  }

  @Test
  void theLogTellsSizesAndTimesOfAppends() {
    publish();
    long before = number("WAL", "appendCount");
    assertEquals(0, before, "a server begins with nothing, whatever ran in the process before");
    region.putLogged("a", "1");
    region.putLogged("b", "2");
    region.online().engine().flush();
    published.renew();
    Map<String, Object> log = MetricRecords.now("WAL");
    assertEquals(2L, log.get("appendCount"));
    assertEquals(2L, log.get("AppendSize_num_ops"));
    assertEquals(2L, log.get("AppendTime_num_ops"));
    assertEquals(2L, log.get("t.appendCount"));
    assertEquals(log.get("writtenBytes"), log.get("t.appendSize"));
    assertTrue((long) log.get("SyncTime_num_ops") > 0);
  }

  @Test
  void readsAndWritesOfFilesAreTimed() {
    region.put("a", "1");
    region.online().engine().flush();
    assertTrue(region.has("a"));
    publish();
    Map<String, Object> files = MetricRecords.now("IO");
    assertTrue((long) files.get("FsPReadTime_num_ops") > 0);
    assertTrue((long) files.get("FsWriteTime_num_ops") > 0);
  }

  @Test
  void bloomFiltersAreCountedByWhatTheySay() {
    region.put("a", "1");
    region.put("c", "1");
    region.online().engine().flush();
    publish();
    long asked = number("Server", "bloomFilterRequestsCount");
    await(() -> !region.has("b") && bloom("RequestsCount") > asked); // filters are loaded behind
    assertTrue(bloom("NegativeResultsCount") > 0);
    assertEquals(
        bloom("RequestsCount"),
        number("Tables", "Namespace_default_table_t_metric_bloomFilterRequestsCount"));
  }

  private long bloom(String name) {
    published.renew();
    return number("Server", "bloomFilter" + name);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - deadline < 0, "nothing came");
      Thread.onSpinWait();
    }
  }

  @Test
  void aSnapshotThatHangsKeepsNoOneFromClosing() throws InterruptedException {
    publish();
    PublishedMetrics shown = published;
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Thread hanging =
        new Thread(
            () -> {
              synchronized (shown) { // as a snapshot that is shown
                held.countDown();
                assertDoesNotThrow(() -> done.await());
              }
            });
    hanging.start();
    held.await();
    published.close(1);
    done.countDown();
    hanging.join();
  }

  @Test
  void aServerThatIsClosedLeavesNoSourceAndTheNextOneMayCome() throws JMException {
    publish();
    closeMetrics();
    assertFalse(beans.isRegistered(new ObjectName(BEANS + "Server")));
    publish();
    assertEquals(1, number("Server", "regionCount"));
  }
}
