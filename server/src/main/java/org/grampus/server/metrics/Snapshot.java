package org.grampus.server.metrics;

import java.util.List;
import java.util.Map;
import org.grampus.engine.EngineMetrics;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.RegionStats;
import org.grampus.server.env.Env;
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
    long millis,
    long nanos) {
  /**
   * A region at that moment.
   *
   * @param stats what the engine says of it
   * @param reads rows read since it came online
   * @param filteredReads rows that filters dropped
   * @param writes mutations
   */
  public record Region(
      OnlineRegion region, RegionStats stats, long reads, long filteredReads, long writes) {
    static Region take(OnlineRegion region, RegionStats stats) {
      RequestCounters counters = region.counters();
      return new Region(
          region, stats, counters.reads(), counters.filteredReads(), counters.writes());
    }
  }

  static Snapshot take(NativeEngine engine, RegionRegistry registry) {
    Map<String, RegionStats> stats = engine.regionStats();
    // one without statistics is not online any more
    List<Region> regions =
        registry.all().stream()
            .filter(region -> stats.containsKey(region.encodedName()))
            .map(region -> Region.take(region, stats.get(region.encodedName())))
            .toList();
    RegionTotals totals = new RegionTotals();
    regions.forEach(region -> totals.add(region.stats()));
    return new Snapshot(
        engine.metrics(),
        regions,
        totals,
        registry.totals().reads(),
        registry.totals().filteredReads(),
        registry.totals().writes(),
        Env.millis(),
        Env.nanos());
  }
}
