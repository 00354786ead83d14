package org.grampus.perf.micro;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.grampus.engine.CompactionState;
import org.grampus.engine.RegionStats;
import org.grampus.perf.process.RecordFileSink;
import org.grampus.server.info.PrometheusWriter;
import org.grampus.server.metrics.RegionSource;
import org.grampus.server.metrics.Snapshot;
import org.grampus.server.region.BlockWeights;
import org.grampus.server.region.OnlineRegion;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The bean of 1,000 regions: a sample of it, its text in a scrape, and its line in a sink. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MetricsBench {
  private static final int REGIONS = 1000;
  private static final TableName TABLE = TableName.valueOf("TestTable");

  private final RegionSource source = new RegionSource();
  private final PrometheusWriter prometheus = new PrometheusWriter();
  private final RecordFileSink sink = new RecordFileSink();
  private final MetricsRecord record;

  /** For JMH. */
  public MetricsBench() {
    source.renew(regions());
    record = sample();
    Map<String, String> properties = Map.of("a.filename", "/dev/null");
    sink.init(new SubsetConfiguration(new MapConfiguration(properties), "a", "."));
  }

  private static List<Snapshot.Region> regions() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Requests.FAMILY))
            .build();
    return IntStream.range(0, REGIONS).mapToObj(number -> region(table, number)).toList();
  }

  private static Snapshot.Region region(TableDescriptor table, int number) {
    var info = RegionInfoBuilder.newBuilder(TABLE).setStartKey(Requests.row(number)).build();
    OnlineRegion online = new OnlineRegion(info, table, null, 1);
    return new Snapshot.Region(online, stats(), BlockWeights.NONE, number, 0, number);
  }

  /** Of a region with one file. */
  private static RegionStats stats() {
    long made = System.currentTimeMillis();
    return new RegionStats(
        1 << 20,
        1 << 30,
        1,
        1,
        0,
        new RegionStats.FileParts(1 << 30, 2 << 30, 1 << 20, 1 << 16, 1 << 16),
        new RegionStats.Readers(0, 0),
        new RegionStats.FileTimes(made, made, made),
        1,
        new RegionStats.Compaction(CompactionState.NONE, made, 0, 0),
        new RegionStats.Compacted(1, 0, 3, 3 << 28),
        new RegionStats.Blooms(0, 0, 0),
        List.of());
  }

  /** What each sink and each scrape begins with. */
  @Benchmark
  public MetricsRecord sample() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    return collector.getRecords().get(0);
  }

  /** The text for Prometheus, the second and later times. */
  @Benchmark
  public void scrape() throws IOException {
    prometheus.write(List.of(record), false, "", OutputStream.nullOutputStream());
  }

  /** The line of a sink, to a file that keeps nothing. */
  @Benchmark
  public void sink() {
    sink.putMetrics(record);
  }
}
