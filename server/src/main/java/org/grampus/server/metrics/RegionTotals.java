package org.grampus.server.metrics;

import org.grampus.engine.EngineException;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.RegionStats;

/** Sums over the regions that are online at one moment; sizes in bytes. */
final class RegionTotals {
  int regions;
  int stores;
  int files;
  int references;
  int largestStoreFiles;
  long fileBytes;
  long memstoreBytes;
  long oldestFileMillis = Long.MAX_VALUE;
  long newestFileMillis;
  long sumOfFileMillis;
  long reads;
  long filteredReads;
  long writes;

  /** Adds up the regions of a registry. */
  static RegionTotals of(RegionRegistry registry) {
    RegionTotals totals = new RegionTotals();
    totals.reads = registry.totals().reads();
    totals.filteredReads = registry.totals().filteredReads();
    totals.writes = registry.totals().writes();
    for (OnlineRegion region : registry.all()) {
      RegionStats stats;
      try {
        stats = RegionStats.of(region);
      } catch (EngineException e) {
        // The region was closed between the listing and the look: it is not online any more.
        continue;
      }
      totals.add(stats);
    }
    return totals;
  }

  private void add(RegionStats stats) {
    regions++;
    stores += stats.stores().size();
    files += stats.storeFileCount();
    references += stats.referenceCount();
    largestStoreFiles = Math.max(largestStoreFiles, stats.largestStoreFileCount());
    fileBytes += stats.storeFileBytes();
    memstoreBytes += stats.memstoreBytes();
    if (stats.storeFileCount() > 0) {
      oldestFileMillis = Math.min(oldestFileMillis, stats.fileTimes().oldest());
      newestFileMillis = Math.max(newestFileMillis, stats.fileTimes().newest());
      sumOfFileMillis += stats.fileTimes().sum();
    }
  }
}
