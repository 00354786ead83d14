package org.grampus.server.assignment;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.RegionStats;
import org.grampus.server.env.Env;
import org.grampus.server.env.Repeated;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the master to split regions that their table's policy finds too large. It looks at the sizes
 * of all regions at an interval, where HBase checks after each flush and compaction, and asks for
 * one region at most once a minute: the master needs some seconds for a split, and refuses while
 * splits are switched off.
 */
public final class RegionSplitter {
  private static final Logger LOG = LoggerFactory.getLogger(RegionSplitter.class);

  private static final long ASK_AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

  private final Configuration conf;
  private final RegionRegistry registry;
  private final Supplier<Map<String, RegionStats>> stats;
  private final Requests requests;
  private final Runnable asks;
  private final Map<String, Long> asked = new ConcurrentHashMap<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "grampus-splits");

  /** Asks the master, see {@code TransitionReporter.readyToSplit}. */
  @FunctionalInterface
  public interface Requests {
    /** Asks once to split a region at a row. */
    void readyToSplit(RegionInfo region, byte[] row) throws IOException;
  }

  /**
   * A splitter of the regions in a registry that begins with {@link #start}.
   *
   * @param stats what the engine says of all open regions, by encoded name
   * @param requests where the master is asked
   * @param asks is run at each request for a split
   */
  public RegionSplitter(
      Configuration conf,
      RegionRegistry registry,
      Supplier<Map<String, RegionStats>> stats,
      Requests requests,
      Runnable asks) {
    this.conf = conf;
    this.registry = registry;
    this.stats = stats;
    this.requests = requests;
    this.asks = asks;
    thread.setDaemon(true);
  }

  /**
   * The row at which a region would be split now, or null: the middle of its largest store, moved
   * by the table's policy. A region with nothing on disk is flushed first.
   */
  public byte[] splitRow(OnlineRegion region) throws IOException {
    return row(region, SplitPolicy.of(region.info(), region.table(), conf));
  }

  /** Whether the region may be split now, as its table's policy has it. */
  public boolean canSplit(OnlineRegion region, RegionStats stats) throws IOException {
    return SplitPolicy.of(region.info(), region.table(), conf).canSplit(stats);
  }

  private static byte[] row(OnlineRegion region, SplitPolicy policy) throws IOException {
    return policy.row(region.engine().splitPoint());
  }

  /** Begins to check. */
  public void start() {
    thread.start();
  }

  private void run() {
    long intervalMillis = conf.getLong("hbase.regionserver.msginterval", 3000);
    int most = conf.getInt("hbase.regionserver.regionSplitLimit", 1000);
    Runnable check = Repeated.of("a check of the sizes of all regions", this::checkAll);
    try {
      while (!stop.await(intervalMillis, TimeUnit.MILLISECONDS)) {
        asked.keySet().removeIf(region -> registry.find(region) == null);
        if (registry.size() < most) {
          check.run();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void checkAll() {
    try {
      Map<String, RegionStats> all = stats.get();
      for (OnlineRegion region : registry.all()) {
        RegionStats ofRegion = all.get(region.encodedName());
        if (ofRegion != null) { // else it was closed meanwhile
          Repeated.of("a check of the size of a region", () -> check(region, ofRegion)).run();
        }
      }
    } catch (EngineException e) {
      if (e.kind() == ErrorKind.NOT_SERVING) {
        LOG.debug("the engine was closed meanwhile", e);
      } else {
        LOG.warn("cannot look at the sizes of regions, none is split by itself: {}", e.toString());
      }
    }
  }

  private void check(OnlineRegion region, RegionStats ofRegion) {
    if (stop.getCount() == 0) {
      return;
    }
    try {
      SplitPolicy policy = SplitPolicy.of(region.info(), region.table(), conf);
      if (policy.isAutomatic()
          && !askedLately(region)
          && isDue(region, policy, ofRegion)
          // The requests before this one may have taken long.
          && isDue(region, policy, region.engine().stats())) {
        ask(region, row(region, policy));
      }
    } catch (EngineException e) {
      LOG.debug("{} was closed meanwhile", region.encodedName(), e);
    } catch (IOException e) {
      asked.put(region.encodedName(), Env.nanos());
      if (stop.getCount() == 0) {
        LOG.info("a request for a split was interrupted by the stop: {}", e.toString());
      } else {
        LOG.warn("cannot ask for a split of {}: {}", region.encodedName(), e.toString());
      }
    }
  }

  private boolean isDue(OnlineRegion region, SplitPolicy policy, RegionStats ofRegion) {
    try {
      return policy.isDue(ofRegion, regionsOfTable(region));
    } catch (NumberFormatException e) {
      asked.put(region.encodedName(), Env.nanos());
      LOG.warn(
          "a setting of table {} is no number, so its regions are not split by themselves: {}",
          region.info().getTable(),
          e.toString());
      return false;
    }
  }

  private int regionsOfTable(OnlineRegion region) {
    return registry.ofTable(region.info().getTable()).size();
  }

  private boolean askedLately(OnlineRegion region) {
    Long last = asked.get(region.encodedName());
    return last != null && Env.nanos() - last < ASK_AGAIN_NANOS;
  }

  private void ask(OnlineRegion region, byte[] row) throws IOException {
    asked.put(region.encodedName(), Env.nanos());
    if (row != null) {
      LOG.info("asking for a split of {}", region.info().getRegionNameAsString());
      asks.run();
      requests.readyToSplit(region.info(), row);
    }
  }

  /** Stops checking and waits for a request under way. */
  public void close() throws InterruptedException {
    stop.countDown();
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(5));
  }
}
