package org.grampus.server.metrics;

import java.util.List;
import java.util.Map;
import org.grampus.engine.EngineMetrics;
import org.grampus.engine.FinishedWork;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.RegionStats;
import org.grampus.server.env.Env;
import org.grampus.server.region.BlockWeights;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.RequestCounters;

/**
 * The numbers of one moment. All beans and pages show the same one, so that neither a scrape nor a
 * page costs the engine anything. Immutable.
 *
 * @param engine the engine's own numbers
 * @param regions the regions that are online, with what the engine says of them
 * @param totals their sums
 * @param reads rows read since the start, of regions that have left, too
 * @param filteredReads rows that filters dropped
 * @param writes mutations
 * @param calls calls of clients and administrators
 * @param lastWork number of the latest flush or compaction that is done
 * @param millis when it was taken, in milliseconds since the epoch
 * @param nanos the same on the clock that only goes forward
 */
public record Snapshot(
    EngineMetrics engine,
    List<Region> regions,
    RegionTotals totals,
    long reads,
    long filteredReads,
    long writes,
    long calls,
    long lastWork,
    long millis,
    long nanos) {
  /**
   * A region at that moment.
   *
   * @param stats what the engine says of it
   * @param blocks bytes of its files' blocks, and those on this host
   * @param reads rows read since it came online
   * @param filteredReads rows that filters dropped
   * @param writes mutations
   */
  public record Region(
      OnlineRegion region,
      RegionStats stats,
      BlockWeights blocks,
      long reads,
      long filteredReads,
      long writes) {
    static Region take(OnlineRegion region, RegionStats stats) {
      RequestCounters counters = region.counters();
      return new Region(
          region,
          stats,
          BlockWeights.of(region, stats),
          counters.reads(),
          counters.filteredReads(),
          counters.writes());
    }
  }

  /**
   * Takes the numbers of now.
   *
   * @param before the snapshot before, whose flushes and compactions are not in this one; null
   *     without one
   */
  static Snapshot take(
      NativeEngine engine, RegionRegistry registry, RequestTotals requests, Snapshot before) {
    long known = before == null ? 0 : before.lastWork();
    Map<String, RegionStats> stats = engine.regionStats();
    // one without statistics is not online any more
    List<Region> regions =
        registry.all().stream()
            .filter(region -> stats.containsKey(region.encodedName()))
            .map(region -> Region.take(region, stats.get(region.encodedName())))
            .toList();
    EngineMetrics numbers = engine.metrics(known);
    RegionTotals totals = new RegionTotals();
    regions.forEach(region -> totals.add(region.stats(), region.blocks()));
    return new Snapshot(
        numbers,
        regions,
        totals,
        registry.totals().reads(),
        registry.totals().filteredReads(),
        registry.totals().writes(),
        requests.all(),
        numbers.work().stream().mapToLong(FinishedWork::number).max().orElse(known),
        Env.millis(),
        Env.nanos());
  }
}
