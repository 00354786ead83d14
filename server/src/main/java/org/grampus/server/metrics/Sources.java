package org.grampus.server.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Sources in Hadoop's metrics system, of which HBase's register themselves for good: takes them out
 * again, the last one first. One thread.
 */
final class Sources implements AutoCloseable {
  private final Deque<Runnable> parts = new ArrayDeque<>();

  /** Adds a source of HBase's, which has registered itself. */
  <T extends BaseSourceImpl> T add(T source) {
    parts.push(() -> remove(source));
    return source;
  }

  /** Adds a source of ours and registers it. */
  void add(String context, String description, MetricsSource source) {
    DefaultMetricsSystem.instance().register(context, description, source);
    parts.push(() -> DefaultMetricsSystem.instance().unregisterSource(context));
  }

  /** Adds what must end when the sources go. */
  void onClose(Runnable end) {
    parts.push(end);
  }

  /** Takes all of them out. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      parts.pop().run();
    }
  }

  /** Takes a source out. */
  static void remove(BaseSourceImpl source) {
    DefaultMetricsSystem.instance().unregisterSource(source.getMetricsJmxContext());
    MetricRegistries.global().remove(source.getMetricRegistryInfo());
  }

  /**
   * Puts a source in anew, since its bean keeps attributes that the source has no more. HBase
   * restarts the whole metrics system for it, with all sinks and half a second without beans.
   */
  static void renew(String context, String description, MetricsSource source) {
    MetricsSystem system = DefaultMetricsSystem.instance();
    synchronized (system) { // no sample is without the source
      system.unregisterSource(context);
      system.register(context, description, source);
    }
  }

  /** Puts a source in again that was taken out, or does nothing where it is in. */
  static void restore(BaseSourceImpl source) {
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(source.getMetricsJmxContext()) == null) {
      system.register(source.getMetricsJmxContext(), source.getMetricsDescription(), source);
    }
  }
}
