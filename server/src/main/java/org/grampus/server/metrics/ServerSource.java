package org.grampus.server.metrics;

import static org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource.*;

import java.util.function.Supplier;
import org.apache.hadoop.hbase.metrics.Interns;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.grampus.engine.EngineMetrics;
import org.grampus.engine.NativeEngine;
import org.grampus.server.env.Env;
import org.grampus.server.region.RegionRegistry;

/**
 * HBase's {@code RegionServer,sub=Server}: the metrics of MetricsRegionServerSource that this
 * server has, under the same names and with the same meaning. One that it does not have is absent,
 * not 0. Any thread.
 */
final class ServerSource implements MetricsSource {
  private final NativeEngine engine;
  private final RegionRegistry regions;
  private final Supplier<String> serverName;
  private final long startMillis;

  ServerSource(
      NativeEngine engine, RegionRegistry regions, Supplier<String> serverName, long startMillis) {
    this.engine = engine;
    this.regions = regions;
    this.serverName = serverName;
    this.startMillis = startMillis;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(METRICS_NAME).setContext(METRICS_CONTEXT);
    EngineMetrics numbers = engine.metrics();
    RegionTotals totals = RegionTotals.of(regions, engine.regionStats());
    record.tag(Interns.info(SERVER_NAME_NAME, SERVER_NAME_DESC), serverName.get());
    record.addGauge(info(RS_START_TIME_NAME, RS_START_TIME_DESC), startMillis);
    regionTotals(record, totals);
    requests(record, totals, numbers);
    CacheNumbers.of(numbers).record(record);
    work(record, numbers);
  }

  private static MetricsInfo info(String name, String description) {
    return Interns.info(name, description);
  }

  private static void regionTotals(MetricsRecordBuilder record, RegionTotals totals) {
    long now = Env.millis();
    long regionBytes = totals.fileBytes + totals.memstoreBytes;
    record
        .addGauge(info(REGION_COUNT, REGION_COUNT_DESC), totals.regions)
        .addGauge(info(STORE_COUNT, STORE_COUNT_DESC), totals.stores)
        .addGauge(info(STOREFILE_COUNT, STOREFILE_COUNT_DESC), totals.files)
        .addGauge(info(MAX_STOREFILE_COUNT, MAX_STOREFILE_COUNT_DESC), totals.largestStoreFiles)
        .addGauge(info(STOREFILE_SIZE, STOREFILE_SIZE_DESC), totals.fileBytes)
        .addGauge(info(NUM_REFERENCE_FILES, NUM_REFERENCE_FILES_DESC), totals.references)
        .addGauge(info(MEMSTORE_SIZE, MEMSTORE_SIZE_DESC), totals.memstoreBytes)
        .addGauge(
            info(AVERAGE_REGION_SIZE, AVERAGE_REGION_SIZE_DESC),
            totals.regions == 0 ? 0 : regionBytes / totals.regions);
    if (totals.files > 0) {
      record
          .addGauge(
              info(MAX_STORE_FILE_AGE, MAX_STORE_FILE_AGE_DESC), now - totals.oldestFileMillis)
          .addGauge(
              info(MIN_STORE_FILE_AGE, MIN_STORE_FILE_AGE_DESC), now - totals.newestFileMillis)
          .addGauge(
              info(AVG_STORE_FILE_AGE, AVG_STORE_FILE_AGE_DESC),
              now - totals.sumOfFileMillis / totals.files);
    }
  }

  private static void requests(
      MetricsRecordBuilder record, RegionTotals totals, EngineMetrics numbers) {
    record
        .addCounter(
            info(TOTAL_ROW_ACTION_REQUEST_COUNT, TOTAL_ROW_ACTION_REQUEST_COUNT_DESC),
            totals.reads + totals.writes)
        .addCounter(info(READ_REQUEST_COUNT, READ_REQUEST_COUNT_DESC), totals.reads)
        .addCounter(
            info(FILTERED_READ_REQUEST_COUNT, FILTERED_READ_REQUEST_COUNT_DESC),
            totals.filteredReads)
        .addCounter(info(WRITE_REQUEST_COUNT, WRITE_REQUEST_COUNT_DESC), totals.writes)
        .addCounter(
            info(BLOCKED_REQUESTS_COUNT, BLOCKED_REQUESTS_COUNT_DESC),
            numbers.get("memstore.refused_writes"));
  }

  private static void work(MetricsRecordBuilder record, EngineMetrics numbers) {
    long majorInput = numbers.get("compaction.major.input_bytes");
    long small = numbers.get("compaction.small_queue_length");
    long large = numbers.get("compaction.large_queue_length");
    long majorOutput = numbers.get("compaction.major.output_bytes");
    record
        .addGauge(info(WALFILE_COUNT, WALFILE_COUNT_DESC), numbers.ofLogs("segments"))
        .addGauge(info(WALFILE_SIZE, WALFILE_SIZE_DESC), numbers.ofLogs("finished_bytes"))
        .addGauge(
            info(FLUSH_QUEUE_LENGTH, FLUSH_QUEUE_LENGTH_DESC), numbers.get("flush.queue_length"))
        .addGauge(info(COMPACTION_QUEUE_LENGTH, COMPACTION_QUEUE_LENGTH_DESC), small + large)
        .addGauge(info(SMALL_COMPACTION_QUEUE_LENGTH, SMALL_COMPACTION_QUEUE_LENGTH_DESC), small)
        .addGauge(info(LARGE_COMPACTION_QUEUE_LENGTH, LARGE_COMPACTION_QUEUE_LENGTH_DESC), large)
        .addCounter(info(FLUSHED_CELLS, FLUSHED_CELLS_DESC), numbers.get("flush.cells"))
        .addCounter(
            info(FLUSHED_CELLS_SIZE, FLUSHED_CELLS_SIZE_DESC), numbers.get("flush.memstore_bytes"))
        .addCounter(
            info(FLUSHED_MEMSTORE_BYTES, FLUSHED_MEMSTORE_BYTES_DESC),
            numbers.get("flush.memstore_bytes"))
        .addCounter(
            info(FLUSHED_OUTPUT_BYTES, FLUSHED_OUTPUT_BYTES_DESC), numbers.get("flush.file_bytes"))
        .addCounter(
            info(COMPACTED_CELLS, COMPACTED_CELLS_DESC), numbers.get("compaction.minor.cells"))
        .addCounter(
            info(COMPACTED_CELLS_SIZE, COMPACTED_CELLS_SIZE_DESC),
            numbers.get("compaction.minor.input_bytes"))
        .addCounter(
            info(MAJOR_COMPACTED_CELLS, MAJOR_COMPACTED_CELLS_DESC),
            numbers.get("compaction.major.cells"))
        .addCounter(info(MAJOR_COMPACTED_CELLS_SIZE, MAJOR_COMPACTED_CELLS_SIZE_DESC), majorInput)
        .addCounter(
            info(COMPACTED_INPUT_BYTES, COMPACTED_INPUT_BYTES_DESC),
            majorInput + numbers.get("compaction.minor.input_bytes"))
        .addCounter(
            info(COMPACTED_OUTPUT_BYTES, COMPACTED_OUTPUT_BYTES_DESC),
            majorOutput + numbers.get("compaction.minor.output_bytes"))
        .addCounter(info(MAJOR_COMPACTED_INPUT_BYTES, MAJOR_COMPACTED_INPUT_BYTES_DESC), majorInput)
        .addCounter(
            info(MAJOR_COMPACTED_OUTPUT_BYTES, MAJOR_COMPACTED_OUTPUT_BYTES_DESC), majorOutput);
  }
}
