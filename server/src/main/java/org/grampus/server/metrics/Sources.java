package org.grampus.server.metrics;

import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** HBase's sources in Hadoop's metrics system, in which they register themselves for good. */
final class Sources {
  private Sources() {}

  /** Takes a source out. */
  static void remove(BaseSourceImpl source) {
    DefaultMetricsSystem.instance().unregisterSource(source.getMetricsJmxContext());
    MetricRegistries.global().remove(source.getMetricRegistryInfo());
  }

  /** Puts a source in again that was taken out, or does nothing where it is in. */
  static void restore(BaseSourceImpl source) {
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(source.getMetricsJmxContext()) == null) {
      system.register(source.getMetricsJmxContext(), source.getMetricsDescription(), source);
    }
  }
}
