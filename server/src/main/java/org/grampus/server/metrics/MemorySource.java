package org.grampus.server.metrics;

import java.util.Locale;
import org.apache.hadoop.hbase.metrics.Interns;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPool;
import org.grampus.server.memory.MemoryUse;

/**
 * {@code RegionServer,sub=Memory}: what requests, replies and scanners take, by use, and the limit
 * of each pool, in bytes. Any thread.
 */
final class MemorySource implements MetricsSource {
  static final String NAME = "Memory";
  static final String JMX_CONTEXT = "RegionServer,sub=" + NAME;
  static final String DESCRIPTION = "Memory that clients' requests take";

  private final MemoryAccount account;

  MemorySource(MemoryAccount account) {
    this.account = account;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("regionserver");
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
