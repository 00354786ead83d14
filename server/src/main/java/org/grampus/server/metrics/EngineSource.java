package org.grampus.server.metrics;

import static org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource.METRICS_CONTEXT;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.metrics.Interns;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;

/**
 * All numbers of the engine under its own names, as {@code RegionServer,sub=Engine}: what HBase has
 * no name for, and the parts of what {@link ServerNumbers} adds up; and whether writes are refused
 * for want of contact with ZooKeeper. Any thread.
 */
final class EngineSource implements MetricsSource {
  static final String JMX_CONTEXT = "RegionServer,sub=Engine";
  static final String DESCRIPTION = "Numbers of the storage engine";
  private static final String NAME = "Engine";
  private static final MetricsInfo FENCED =
      Interns.info("fence.closed", "1 while writes are refused for want of contact with ZooKeeper");

  private final Supplier<Snapshot> latest;
  private final BooleanSupplier fenced;

  EngineSource(Supplier<Snapshot> latest, BooleanSupplier fenced) {
    this.latest = latest;
    this.fenced = fenced;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext(METRICS_CONTEXT);
    latest
        .get()
        .engine()
        .forEach((path, value) -> record.addGauge(Interns.info(path, path), value));
    record.addGauge(FENCED, fenced.getAsBoolean() ? 1L : 0L);
  }
}
