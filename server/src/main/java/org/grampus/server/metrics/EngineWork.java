package org.grampus.server.metrics;

import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hadoop.hbase.regionserver.wal.MetricsWALSource;
import org.apache.hadoop.hbase.regionserver.wal.MetricsWALSourceImpl;
import org.grampus.engine.EngineMetrics;
import org.grampus.server.service.ScannerRegistry;

/**
 * Enters what happened between two snapshots into HBase's counters, histograms and meters. The
 * engine has sums only, so the flushes and compactions between two snapshots enter with their mean:
 * exact as long as there is one of them. One thread.
 */
final class EngineWork {
  /** More than that between two snapshots say no more about the mean. */
  private static final int MOST_AT_ONCE = 1000;

  private final MetricsRegionServerSource server;
  private final MetricsWALSourceImpl wal;
  private final ScannerRegistry scanners;
  private final Meters meters;
  private long expiredLeases;

  EngineWork(
      MetricsRegionServerSource server,
      MetricsWALSourceImpl wal,
      ScannerRegistry scanners,
      Meters meters) {
    this.server = server;
    this.wal = wal;
    this.scanners = scanners;
    this.meters = meters;
  }

  /** Between two snapshots. */
  private record Span(EngineMetrics before, EngineMetrics after) {
    long of(String path) {
      return after.get(path) - (before == null ? 0 : before.get(path));
    }

    long ofLogs(String name) {
      return after.ofLogs(name) - (before == null ? 0 : before.ofLogs(name));
    }
  }

  /**
   * Enters what happened.
   *
   * @param before null for the first snapshot: what the engine did before it counts, as it belongs
   *     to this server, but marks no meter
   */
  void enter(Snapshot before, Snapshot after) {
    Span span = new Span(before == null ? null : before.engine(), after.engine());
    flushes(span);
    compactions(span, "compaction.minor.", false);
    compactions(span, "compaction.major.", true);
    log(span);
    if (before != null) {
      meters.mark(after.reads() - before.reads(), after.writes() - before.writes());
    }
    for (long expired = scanners.expiredCount(); expiredLeases < expired; expiredLeases++) {
      server.incrScannerLeaseExpired();
    }
  }

  private void flushes(Span span) {
    long count = Math.min(MOST_AT_ONCE, span.of("flush.count"));
    for (long i = 0; i < count; i++) {
      server.updateFlushTime(share(span.of("flush.millis"), i, count));
      server.updateFlushMemStoreSize(share(span.of("flush.memstore_bytes"), i, count));
      server.updateFlushOutputSize(share(span.of("flush.file_bytes"), i, count));
    }
  }

  private void compactions(Span span, String kind, boolean major) {
    long count = Math.min(MOST_AT_ONCE, span.of(kind + "count"));
    for (long i = 0; i < count; i++) {
      server.updateCompactionTime(major, share(span.of(kind + "millis"), i, count));
      server.updateCompactionInputFileCount(major, share(span.of(kind + "input_files"), i, count));
      server.updateCompactionOutputFileCount(major, 1);
      server.updateCompactionInputSize(major, share(span.of(kind + "input_bytes"), i, count));
      server.updateCompactionOutputSize(major, share(span.of(kind + "output_bytes"), i, count));
    }
  }

  /** One of the parts into which a sum is cut, which together are the sum. */
  private static long share(long sum, long part, long parts) {
    return sum * (part + 1) / parts - sum * part / parts;
  }

  private void log(Span span) {
    wal.incCounters(MetricsWALSource.APPEND_COUNT, span.ofLogs("appends"));
    wal.incrementWrittenBytes(span.ofLogs("bytes"));
    long rolls = span.ofLogs("rolls");
    long failed = span.ofLogs("failed_rolls");
    for (long i = 0; i < rolls; i++) {
      wal.incrementSuccessfulLogRolls();
    }
    for (long i = 0; i < rolls + failed; i++) {
      wal.incrementLogRollRequested();
    }
    for (long i = 0; i < span.ofLogs("error_rolls"); i++) {
      wal.incrementErrorLogRoll();
    }
  }
}
