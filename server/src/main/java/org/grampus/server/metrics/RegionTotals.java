package org.grampus.server.metrics;

import java.util.Map;
import org.grampus.engine.RegionStats;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;

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

  /** Adds up the regions of a registry; one without statistics is not online any more. */
  static RegionTotals of(RegionRegistry registry, Map<String, RegionStats> all) {
    RegionTotals totals = new RegionTotals();
    totals.reads = registry.totals().reads();
    totals.filteredReads = registry.totals().filteredReads();
    totals.writes = registry.totals().writes();
    for (OnlineRegion region : registry.all()) {
      RegionStats stats = all.get(region.encodedName());
      if (stats != null) {
        totals.add(stats);
      }
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
