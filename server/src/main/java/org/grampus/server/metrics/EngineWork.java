package org.grampus.server.metrics;

import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.io.MetricsIOSourceImpl;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hadoop.hbase.regionserver.MetricsTableSource;
import org.apache.hadoop.hbase.regionserver.wal.MetricsWALSource;
import org.apache.hadoop.hbase.regionserver.wal.MetricsWALSourceImpl;
import org.grampus.engine.EngineMetrics;
import org.grampus.engine.FinishedWork;
import org.grampus.server.service.ScannerRegistry;

/**
 * Enters what happened between two snapshots into HBase's counters, histograms and meters. One
 * thread.
 */
final class EngineWork {
  private final MetricsRegionServerSource server;
  private final TableBeans tables;
  private final MetricsWALSourceImpl wal;
  private final MetricsIOSourceImpl files;
  private final ScannerRegistry scanners;
  private final Meters meters;
  private long expiredLeases;

  EngineWork(
      MetricsRegionServerSource server,
      TableBeans tables,
      MetricsWALSourceImpl wal,
      MetricsIOSourceImpl files,
      ScannerRegistry scanners,
      Meters meters) {
    this.server = server;
    this.tables = tables;
    this.wal = wal;
    this.files = files;
    this.scanners = scanners;
    this.meters = meters;
  }

  /** Between two snapshots. */
  private record Span(EngineMetrics before, EngineMetrics after) {
    long ofLog(String name) {
      return after.ofLog(name) - (before == null ? 0 : before.ofLog(name));
    }

    /** Each value as often as it came. */
    void each(String histogram, LongConsumer value) {
      Map<Long, Long> known = before == null ? Map.of() : before.histogram(histogram);
      after
          .histogram(histogram)
          .forEach(
              (one, count) -> {
                for (long i = known.getOrDefault(one, 0L); i < count; i++) {
                  value.accept(one);
                }
              });
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
    after.engine().work().forEach(this::done);
    log(span);
    span.each("files.page_read_millis", files::updateFsPReadTime);
    span.each("files.pass_read_millis", files::updateFsReadTime);
    span.each("files.write_millis", files::updateFsWriteTime);
    if (before != null) {
      meters.mark(after.reads() - before.reads(), after.writes() - before.writes());
    }
    for (long expired = scanners.expiredCount(); expiredLeases < expired; expiredLeases++) {
      server.incrScannerLeaseExpired();
    }
  }

  private void done(FinishedWork work) {
    switch (work.kind()) {
      case FLUSH -> flushed(work);
      case MINOR -> compacted(work, false);
      case MAJOR -> compacted(work, true);
    }
  }

  private void flushed(FinishedWork flush) {
    server.updateFlushTime(flush.millis());
    server.updateFlushMemStoreSize(flush.inputBytes());
    server.updateFlushOutputSize(flush.outputBytes());
    MetricsTableSource table = tables.source(flush.table());
    if (table != null) {
      table.updateFlushTime(flush.millis());
      table.updateFlushMemstoreSize(flush.inputBytes());
      table.updateFlushOutputSize(flush.outputBytes());
    }
  }

  private void compacted(FinishedWork compaction, boolean major) {
    server.updateCompactionTime(major, compaction.millis());
    server.updateCompactionInputFileCount(major, compaction.inputFiles());
    server.updateCompactionOutputFileCount(major, 1);
    server.updateCompactionInputSize(major, compaction.inputBytes());
    server.updateCompactionOutputSize(major, compaction.outputBytes());
    MetricsTableSource table = tables.source(compaction.table());
    if (table != null) {
      table.updateCompactionTime(major, compaction.millis());
      table.updateCompactionInputFileCount(major, compaction.inputFiles());
      table.updateCompactionOutputFileCount(major, 1);
      table.updateCompactionInputSize(major, compaction.inputBytes());
      table.updateCompactionOutputSize(major, compaction.outputBytes());
    }
  }

  /** The log of hbase:meta is not in the bean, as in HBase. */
  private void log(Span span) {
    wal.incCounters(MetricsWALSource.APPEND_COUNT, span.ofLog("appends"));
    wal.incCounters(MetricsWALSource.SLOW_APPEND_COUNT, span.ofLog("slow_appends"));
    wal.incrementWrittenBytes(span.ofLog("bytes"));
    // HBase's source takes a size together with its table only
    span.each(
        "wal.append_bytes",
        wal.getMetricsRegistry().getHistogram(MetricsWALSource.APPEND_SIZE)::add);
    span.each("wal.append_millis", wal::incrementAppendTime);
    span.each("wal.sync_millis", wal::incrementSyncTime);
    Map<String, EngineMetrics.TableAppends> known =
        span.before == null ? Map.of() : span.before.tables();
    span.after.tables().forEach((table, sums) -> appended(table, known.get(table), sums));
    rolls(span);
  }

  private void appended(
      String table, EngineMetrics.TableAppends before, EngineMetrics.TableAppends after) {
    long records = after.records() - (before == null ? 0 : before.records());
    if (records > 0) {
      long bytes = after.bytes() - (before == null ? 0 : before.bytes());
      wal.incCounters(table + "." + MetricsWALSource.APPEND_COUNT, records);
      wal.incCounters(table + "." + MetricsWALSource.APPEND_SIZE, bytes);
    }
  }

  private void rolls(Span span) {
    times(span.ofLog("rolls"), wal::incrementSuccessfulLogRolls);
    times(span.ofLog("rolls") + span.ofLog("failed_rolls"), wal::incrementLogRollRequested);
    times(span.ofLog("size_rolls"), wal::incrementSizeLogRoll);
    times(span.ofLog("error_rolls"), wal::incrementErrorLogRoll);
  }

  private static void times(long count, Runnable increment) {
    for (long i = 0; i < count; i++) {
      increment.run();
    }
  }
}
