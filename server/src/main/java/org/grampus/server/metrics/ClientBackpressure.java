package org.grampus.server.metrics;

import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionLoadStats;
import org.grampus.engine.EngineMetrics;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.service.LoadStatistics;

/**
 * The load of regions for clients that put off their writes, as HBase tells it where {@code
 * hbase.client.backpressure.enabled} is true on the server: of no system table. What a region's
 * memtables hold is of now; the server's numbers are those of the latest snapshot. Any thread.
 */
public final class ClientBackpressure implements LoadStatistics {
  private static final int PERCENT = 100;

  private final Supplier<Snapshot> latest;
  private final long flushBytes;

  private ClientBackpressure(Supplier<Snapshot> latest, long flushBytes) {
    this.latest = latest;
    this.flushBytes = flushBytes;
  }

  /**
   * The statistics that a configuration wants, which are none by default.
   *
   * @param flushBytes the server's flush size; null for none, as HBase's default does not apply
   * @param latest the latest snapshot of the server's numbers
   */
  public static LoadStatistics from(
      Configuration conf, Long flushBytes, Supplier<Snapshot> latest) {
    boolean enabled =
        conf.getBoolean(
            HConstants.ENABLE_CLIENT_BACKPRESSURE, HConstants.DEFAULT_ENABLE_CLIENT_BACKPRESSURE);
    return enabled ? new ClientBackpressure(latest, flushBytes == null ? 0 : flushBytes) : NONE;
  }

  @Override
  public RegionLoadStats of(OnlineRegion region) {
    if (region.isSystem()) {
      return null;
    }
    EngineMetrics engine = latest.get().engine();
    long limit = engine.get("memstore.limit_bytes");
    return RegionLoadStats.newBuilder()
        .setMemStoreLoad(percent(region.engine().stats().memstoreBytes(), full(region, limit)))
        .setHeapOccupancy(percent(engine.get("memstore.bytes"), limit))
        .setCompactionPressure((int) engine.get("compaction.pressure_percent"))
        .build();
  }

  /** What a region's memtables hold before it is flushed; without a size it may be all there is. */
  private long full(OnlineRegion region, long limit) {
    long ofTable = region.flushBytes();
    if (ofTable > 0) {
      return ofTable;
    }
    return flushBytes > 0 ? flushBytes : limit;
  }

  private static int percent(long part, long whole) {
    return whole <= 0 ? 0 : (int) Math.min(PERCENT, part * PERCENT / whole);
  }
}
