package org.grampus.server.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsExportHelper;

/** What the metrics system has at the moment; over JMX it may be as old as its period. */
public final class MetricRecords {
  private MetricRecords() {}

  private static final long AWAY_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * The values of the record with this name, and its tags as {@code tag.name}. Histograms begin
   * anew with each look. HBase takes all sources away for half a second when a table's requests
   * have left: waits for them to come back.
   */
  public static Map<String, Object> now(String name) {
    long deadline = System.nanoTime() + AWAY_MAX_NANOS;
    Map<String, Object> values = read(name);
    while (values.isEmpty() && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
      values = read(name);
    }
    return values;
  }

  private static Map<String, Object> read(String name) {
    Map<String, Object> values = new HashMap<>();
    for (MetricsRecord record : MetricsExportHelper.export()) {
      if (record.name().equals(name)) {
        record.metrics().forEach(metric -> values.put(metric.name(), metric.value()));
        record.tags().forEach(tag -> values.put("tag." + tag.name(), tag.value()));
      }
    }
    return values;
  }
}
