package org.grampus.server.metrics;

import java.util.function.Supplier;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.source.JvmMetrics;
import org.grampus.engine.NativeEngine;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.region.RegionRegistry;

/** The server's sources in Hadoop's metrics system, as long as this is open. */
public final class PublishedMetrics implements AutoCloseable {
  /** HBase's prefix: hadoop-metrics2-hbase.properties configures its sinks. */
  private static final String SYSTEM = "HBase";

  private PublishedMetrics() {}

  /**
   * Publishes the numbers of one server; a process publishes those of one at a time.
   *
   * @param serverName the tag that names the server
   * @param startMillis when it started, in milliseconds since the epoch
   */
  public static PublishedMetrics open(
      NativeEngine engine,
      RegionRegistry registry,
      MemoryAccount memory,
      Supplier<String> serverName,
      long startMillis) {
    // As HBase's own sources do; in a process with a master either may come first.
    MetricsSystem system = DefaultMetricsSystem.initialize(SYSTEM);
    JvmMetrics.initSingleton(SYSTEM, "");
    system.register(
        MetricsRegionServerSource.METRICS_JMX_CONTEXT,
        MetricsRegionServerSource.METRICS_DESCRIPTION,
        new ServerSource(engine, registry, serverName, startMillis));
    system.register(EngineSource.JMX_CONTEXT, EngineSource.DESCRIPTION, new EngineSource(engine));
    system.register(MemorySource.JMX_CONTEXT, MemorySource.DESCRIPTION, new MemorySource(memory));
    return new PublishedMetrics();
  }

  /** Takes the sources out; the engine may be closed afterwards. */
  @Override
  public void close() {
    MetricsSystem system = DefaultMetricsSystem.instance();
    system.unregisterSource(MetricsRegionServerSource.METRICS_JMX_CONTEXT);
    system.unregisterSource(EngineSource.JMX_CONTEXT);
    system.unregisterSource(MemorySource.JMX_CONTEXT);
  }
}
