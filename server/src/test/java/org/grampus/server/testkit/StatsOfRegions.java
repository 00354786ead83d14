package org.grampus.server.testkit;

import java.util.List;
import org.grampus.engine.CompactionState;
import org.grampus.engine.RegionStats;

/** What an engine says of regions, for tests without one. */
public final class StatsOfRegions {
  private StatsOfRegions() {}

  /** Of a region without files. */
  public static RegionStats withoutFiles() {
    return of(0, 0, 0);
  }

  /** Of a region that has all it has in memtables. */
  public static RegionStats withMemtables(long bytes) {
    return of(bytes, 0, 0);
  }

  /** Of a region with one file. */
  public static RegionStats withFile(long bytes) {
    return of(0, 1, bytes);
  }

  private static RegionStats of(long memtableBytes, int files, long bytes) {
    return new RegionStats(
        memtableBytes,
        bytes,
        files,
        files,
        0,
        new RegionStats.FileParts(0, 0, 0, 0, 0),
        new RegionStats.Readers(0, 0),
        new RegionStats.FileTimes(0, 0, 0),
        0,
        new RegionStats.Compaction(CompactionState.NONE, 0, 0, 0),
        new RegionStats.Compacted(0, 0, 0, 0),
        new RegionStats.Blooms(0, 0, 0),
        List.of());
  }
}
