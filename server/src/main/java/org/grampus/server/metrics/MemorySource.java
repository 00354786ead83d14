package org.grampus.server.metrics;

import java.util.Locale;
import org.apache.hadoop.hbase.metrics.Interns;
import org.apache.hadoop.hbase.regionserver.MetricsHeapMemoryManagerSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPool;
import org.grampus.server.memory.MemoryUse;

/**
 * {@code RegionServer,sub=Memory}: HBase's names for memtables and block cache, and what requests,
 * replies and scanners take, by use, and the limit of each pool, in bytes. Any thread.
 */
final class MemorySource extends MetricsHeapMemoryManagerSourceImpl {
  private final MemoryAccount account;

  MemorySource(MemoryAccount account) {
    this.account = account;
  }

  /** Takes the sizes of a snapshot. */
  void renew(Snapshot snapshot) {
    long memtables = snapshot.totals().memstoreBytes();
    setCurMemStoreSizeGauge(memtables);
    setCurMemStoreOffHeapSizeGauge(memtables);
    setCurBlockCacheSizeGauge(CacheNumbers.memory(snapshot.engine()).usedBytes());
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(getMetricsRegistry().info());
    getMetricsRegistry().snapshot(record, all);
    if (account == null) {
      return; // HBase's constructor registers the source, which is asked at once
    }
    for (MemoryUse use : MemoryUse.values()) {
      gauge(record, name(use) + "Bytes", "bytes taken for this use", account.used(use));
    }
    for (MemoryPool.Kind kind : MemoryPool.Kind.values()) {
      MemoryPool pool = account.pool(kind);
      gauge(record, name(kind) + "PoolBytes", "bytes taken of this pool", pool.used());
      gauge(record, name(kind) + "PoolLimitBytes", "bytes that may be taken", pool.limit());
    }
    record.addCounter(
        Interns.info("refusedRequestCount", "calls and replies refused for want of memory"),
        account.refusedCount());
  }

  private static void gauge(MetricsRecordBuilder record, String name, String text, long value) {
    record.addGauge(Interns.info(name, text), value);
  }

  /** CELL_BLOCKS is cellBlocks. */
  private static String name(Enum<?> constant) {
    StringBuilder name = new StringBuilder();
    for (String word : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
      name.append(name.length() == 0 ? word.charAt(0) : Character.toUpperCase(word.charAt(0)));
      name.append(word, 1, word.length());
    }
    return name.toString();
  }
}
