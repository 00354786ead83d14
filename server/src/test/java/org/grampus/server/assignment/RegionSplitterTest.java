package org.grampus.server.assignment;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.EngineRegion;
import org.grampus.engine.RegionStats;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.junit.jupiter.api.Test;

/** The thread that looks for regions to split goes on, whatever it meets. */
class RegionSplitterTest {
  private static final ServerName SELF = ServerName.valueOf("host", 1, 2);
  private static final int GOOD = 10;
  private static final RegionStats LARGE = SplitPolicyTest.stats(false, 50_000);

  private final Configuration conf = new Configuration(false);
  private final RegionRegistry registry = new RegionRegistry(() -> SELF);
  private final Map<String, RegionStats> stats = new HashMap<>();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final CountDownLatch all = new CountDownLatch(GOOD);

  RegionSplitterTest() {
    conf.setLong("hbase.regionserver.msginterval", 1);
  }

  private void ask(RegionInfo region, byte[] row) {
    if (asked.add(region.getTable().getNameAsString())) {
      all.countDown();
    }
  }

  /** The engine's answers for a region of that size. */
  private static Object answer(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "stats" -> LARGE;
      case "splitPoint" -> Bytes.toBytes("m");
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  /** A region that is to be split, of a table with one setting of its own. */
  private void add(String table, String key, String value) {
    RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf(table)).build();
    EngineRegion engine =
        (EngineRegion)
            Proxy.newProxyInstance(
                EngineRegion.class.getClassLoader(),
                new Class<?>[] {EngineRegion.class},
                RegionSplitterTest::answer);
    registry.add(
        new OnlineRegion(
            info,
            TableDescriptorBuilder.newBuilder(info.getTable())
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue(key, value)
                .build(),
            engine,
            1));
    stats.put(info.getEncodedName(), LARGE);
  }

  private void awaitRequests(Supplier<Map<String, RegionStats>> source)
      throws InterruptedException {
    RegionSplitter splitter = new RegionSplitter(conf, registry, source, this::ask, () -> {});
    splitter.start();
    try {
      assertTrue(all.await(30, TimeUnit.SECONDS), "splits are asked for of " + asked + " alone");
    } finally {
      splitter.close();
    }
  }

  /** Enough for some to come after each bad one, in whatever order they are looked at. */
  private void addGood() {
    for (int table = 0; table < GOOD; table++) {
      add("good" + table, "a", "b");
    }
  }

  @Test
  void tablesWithValuesThatAreNoNumbersHoldUpNoOther() throws InterruptedException {
    add("initial", "hbase.increasing.policy.initial.size", "1g");
    add("jitter", "hbase.hregion.max.filesize.jitter", "x");
    add("maximum", "hbase.hregion.max.filesize", "large");
    addGood();
    awaitRequests(() -> stats);
  }

  @Test
  void aCheckThatFailsIsFollowedByTheNext() throws InterruptedException {
    addGood();
    CountDownLatch failures = new CountDownLatch(3);
    awaitRequests(
        () -> {
          if (failures.getCount() > 0) {
            failures.countDown();
            throw new IllegalStateException("a defect");
          }
          return stats;
        });
  }
}
