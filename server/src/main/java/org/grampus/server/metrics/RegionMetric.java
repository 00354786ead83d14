package org.grampus.server.metrics;

import java.util.List;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hadoop.hbase.regionserver.MetricsRegionSource;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.grampus.server.region.RequestCounters.Kind;

/**
 * A metric of a region, as HBase's {@code MetricsRegionSourceImpl} has it.
 *
 * @param name with the region's prefix; without it in the lists below
 * @param value adds the number to a record
 */
record RegionMetric(String name, String description, Value value) implements MetricsInfo {
  /** What each region has once, in HBase's order. */
  static final List<RegionMetric> ALL =
      List.of(
          new RegionMetric(
              MetricsRegionServerSource.STORE_COUNT,
              MetricsRegionServerSource.STORE_COUNT_DESC,
              (to, info, of) -> to.addGauge(info, of.getNumStores())),
          new RegionMetric(
              MetricsRegionServerSource.STOREFILE_COUNT,
              MetricsRegionServerSource.STOREFILE_COUNT_DESC,
              (to, info, of) -> to.addGauge(info, of.getNumStoreFiles())),
          new RegionMetric(
              MetricsRegionServerSource.STORE_REF_COUNT,
              MetricsRegionServerSource.STORE_REF_COUNT,
              (to, info, of) -> to.addGauge(info, of.getStoreRefCount())),
          new RegionMetric(
              MetricsRegionServerSource.MAX_COMPACTED_STORE_FILE_REF_COUNT,
              MetricsRegionServerSource.MAX_COMPACTED_STORE_FILE_REF_COUNT,
              (to, info, of) -> to.addGauge(info, of.getMaxCompactedStoreFileRefCount())),
          new RegionMetric(
              MetricsRegionServerSource.MEMSTORE_SIZE,
              MetricsRegionServerSource.MEMSTORE_SIZE_DESC,
              (to, info, of) -> to.addGauge(info, of.getMemStoreSize())),
          new RegionMetric(
              MetricsRegionServerSource.MAX_STORE_FILE_AGE,
              MetricsRegionServerSource.MAX_STORE_FILE_AGE_DESC,
              (to, info, of) -> to.addGauge(info, of.getMaxStoreFileAge())),
          new RegionMetric(
              MetricsRegionServerSource.MIN_STORE_FILE_AGE,
              MetricsRegionServerSource.MIN_STORE_FILE_AGE_DESC,
              (to, info, of) -> to.addGauge(info, of.getMinStoreFileAge())),
          new RegionMetric(
              MetricsRegionServerSource.AVG_STORE_FILE_AGE,
              MetricsRegionServerSource.AVG_STORE_FILE_AGE_DESC,
              (to, info, of) -> to.addGauge(info, of.getAvgStoreFileAge())),
          new RegionMetric(
              MetricsRegionServerSource.NUM_REFERENCE_FILES,
              MetricsRegionServerSource.NUM_REFERENCE_FILES_DESC,
              (to, info, of) -> to.addGauge(info, of.getNumReferenceFiles())),
          new RegionMetric(
              MetricsRegionServerSource.STOREFILE_SIZE,
              MetricsRegionServerSource.STOREFILE_SIZE_DESC,
              (to, info, of) -> to.addGauge(info, of.getStoreFileSize())),
          new RegionMetric(
              MetricsRegionServerSource.CURRENT_REGION_CACHE_RATIO,
              MetricsRegionServerSource.CURRENT_REGION_CACHE_RATIO_DESC,
              (to, info, of) -> to.addGauge(info, of.getCurrentRegionCacheRatio())),
          new RegionMetric(
              MetricsRegionSource.COMPACTIONS_COMPLETED_COUNT,
              MetricsRegionSource.COMPACTIONS_COMPLETED_DESC,
              (to, info, of) -> to.addCounter(info, of.getNumCompactionsCompleted())),
          new RegionMetric(
              MetricsRegionSource.COMPACTIONS_FAILED_COUNT,
              MetricsRegionSource.COMPACTIONS_FAILED_DESC,
              (to, info, of) -> to.addCounter(info, of.getNumCompactionsFailed())),
          new RegionMetric(
              MetricsRegionSource.LAST_MAJOR_COMPACTION_AGE,
              MetricsRegionSource.LAST_MAJOR_COMPACTION_DESC,
              (to, info, of) -> to.addCounter(info, of.getLastMajorCompactionAge())),
          new RegionMetric(
              MetricsRegionSource.NUM_BYTES_COMPACTED_COUNT,
              MetricsRegionSource.NUM_BYTES_COMPACTED_DESC,
              (to, info, of) -> to.addCounter(info, of.getNumBytesCompacted())),
          new RegionMetric(
              MetricsRegionSource.NUM_FILES_COMPACTED_COUNT,
              MetricsRegionSource.NUM_FILES_COMPACTED_DESC,
              (to, info, of) -> to.addCounter(info, of.getNumFilesCompacted())),
          new RegionMetric(
              MetricsRegionServerSource.READ_REQUEST_COUNT,
              MetricsRegionServerSource.READ_REQUEST_COUNT_DESC,
              (to, info, of) -> to.addCounter(info, of.getReadRequestCount())),
          new RegionMetric(
              MetricsRegionServerSource.FILTERED_READ_REQUEST_COUNT,
              MetricsRegionServerSource.FILTERED_READ_REQUEST_COUNT_DESC,
              (to, info, of) -> to.addCounter(info, of.getFilteredReadRequestCount())),
          new RegionMetric(
              MetricsRegionServerSource.WRITE_REQUEST_COUNT,
              MetricsRegionServerSource.WRITE_REQUEST_COUNT_DESC,
              (to, info, of) -> to.addCounter(info, of.getWriteRequestCount())),
          new RegionMetric(
              MetricsRegionSource.REPLICA_ID,
              MetricsRegionSource.REPLICA_ID_DESC,
              (to, info, of) -> to.addCounter(info, of.getReplicaId())),
          new RegionMetric(
              MetricsRegionSource.COMPACTIONS_QUEUED_COUNT,
              MetricsRegionSource.COMPACTIONS_QUEUED_DESC,
              (to, info, of) -> to.addCounter(info, of.getNumCompactionsQueued())),
          new RegionMetric(
              MetricsRegionSource.FLUSHES_QUEUED_COUNT,
              MetricsRegionSource.FLUSHES_QUEUED_DESC,
              (to, info, of) -> to.addCounter(info, of.getNumFlushesQueued())),
          new RegionMetric(
              MetricsRegionSource.MAX_COMPACTION_QUEUE_SIZE,
              MetricsRegionSource.MAX_COMPACTION_QUEUE_DESC,
              (to, info, of) -> to.addCounter(info, of.getMaxCompactionQueueSize())),
          new RegionMetric(
              MetricsRegionSource.MAX_FLUSH_QUEUE_SIZE,
              MetricsRegionSource.MAX_FLUSH_QUEUE_DESC,
              (to, info, of) -> to.addCounter(info, of.getMaxFlushQueueSize())));

  /** Operations by their kind; HBase has no descriptions of them. */
  static final List<RegionMetric> OPERATIONS =
      List.of(
          ofKind(MetricsRegionServerSource.PUT_KEY, Kind.PUT),
          ofKind(MetricsRegionServerSource.DELETE_KEY, Kind.DELETE),
          ofKind(MetricsRegionServerSource.INCREMENT_KEY, Kind.INCREMENT),
          ofKind(MetricsRegionServerSource.APPEND_KEY, Kind.APPEND),
          ofKind(MetricsRegionServerSource.GET_KEY, Kind.GET),
          ofKind(MetricsRegionServerSource.SCAN_KEY, Kind.SCAN));

  /** A number under a name, as gauge or counter of the type that HBase gives it. */
  @FunctionalInterface
  interface Value {
    void add(MetricsRecordBuilder to, MetricsInfo info, RegionNumbers of);
  }

  private static RegionMetric ofKind(String name, Kind kind) {
    return new RegionMetric(
        name + "Count", "", (to, info, of) -> to.addCounter(info, of.counted(kind)));
  }

  /** Reads of a family's rows that memtables alone answered. */
  static RegionMetric readsOfMemstore(String family) {
    return new RegionMetric(
        MetricsRegionSource.ROW_READS_ONLY_ON_MEMSTORE,
        MetricsRegionSource.ROW_READS_ONLY_ON_MEMSTORE_DESC,
        (to, info, of) -> to.addCounter(info, of.getMemstoreOnlyRowReadsCount().get(family)));
  }

  /** Reads of a family's rows for which files were read, too. */
  static RegionMetric mixedReads(String family) {
    return new RegionMetric(
        MetricsRegionSource.MIXED_ROW_READS,
        MetricsRegionSource.MIXED_ROW_READS_ON_STORE_DESC,
        (to, info, of) -> to.addCounter(info, of.getMixedRowReadsCount().get(family)));
  }

  /** The same of a region. */
  RegionMetric named(String prefix) {
    return new RegionMetric(prefix + name, description, value);
  }

  /** Adds the number of a region to a record. */
  void add(MetricsRecordBuilder to, RegionNumbers of) {
    value.add(to, this, of);
  }
}
