package org.grampus.server.metrics;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsExportHelper;

/** What the metrics system has at the moment; over JMX it may be as old as its period. */
public final class MetricRecords {
  private MetricRecords() {}

  /**
   * The values of the record with this name, and its tags as {@code tag.name}. Histograms begin
   * anew with each look.
   */
  public static Map<String, Object> now(String name) {
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
