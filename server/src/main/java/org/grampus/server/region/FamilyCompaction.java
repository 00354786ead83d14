package org.grampus.server.region;

import static org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration.HBASE_HSTORE_COMPACTION_MAX_KEY;
import static org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration.HBASE_HSTORE_COMPACTION_MAX_SIZE_KEY;
import static org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration.HBASE_HSTORE_COMPACTION_MIN_KEY;
import static org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration.HBASE_HSTORE_COMPACTION_MIN_SIZE_KEY;
import static org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration.HBASE_HSTORE_COMPACTION_RATIO_KEY;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.grampus.engine.FamilyDescription;

/**
 * Which files of a family are merged and when, from HBase's keys with HBase's defaults
 * (CompactionConfiguration, HStore). A key of the family goes before one of the table, and that
 * before one of the server.
 */
final class FamilyCompaction {
  private static final String OLD_MIN_KEY = "hbase.hstore.compactionThreshold";
  private static final String THROTTLE_KEY = "hbase.regionserver.thread.compaction.throttle";
  private static final int FILES_MIN = 3;
  private static final int FILES_MAX = 10;
  private static final float RATIO = 1.2f;

  private FamilyCompaction() {}

  /** The settings from a store's configuration, which holds the table's and the family's keys. */
  static FamilyDescription.Compaction of(TableDescriptor table, Configuration conf) {
    long flushBytes = table.getMemStoreFlushSize();
    if (flushBytes <= 0) {
      flushBytes =
          conf.getLong(
              HConstants.HREGION_MEMSTORE_FLUSH_SIZE,
              TableDescriptorBuilder.DEFAULT_MEMSTORE_FLUSH_SIZE);
    }
    int filesMin =
        Math.max(
            2, conf.getInt(HBASE_HSTORE_COMPACTION_MIN_KEY, conf.getInt(OLD_MIN_KEY, FILES_MIN)));
    int filesMax = conf.getInt(HBASE_HSTORE_COMPACTION_MAX_KEY, FILES_MAX);
    return new FamilyDescription.Compaction(
        filesMin,
        Math.max(filesMin, filesMax),
        conf.getLong(HBASE_HSTORE_COMPACTION_MIN_SIZE_KEY, flushBytes),
        conf.getLong(HBASE_HSTORE_COMPACTION_MAX_SIZE_KEY, Long.MAX_VALUE),
        conf.getFloat(HBASE_HSTORE_COMPACTION_RATIO_KEY, RATIO),
        conf.getLong(THROTTLE_KEY, 2L * filesMax * flushBytes),
        conf.getInt(HStore.BLOCKING_STOREFILES_KEY, HStore.DEFAULT_BLOCKING_STOREFILE_COUNT),
        conf.getLong(
            HConstants.MAJOR_COMPACTION_PERIOD, HConstants.DEFAULT_MAJOR_COMPACTION_PERIOD),
        majorJitter(conf));
  }

  private static float majorJitter(Configuration conf) {
    float jitter =
        conf.getFloat(
            HConstants.MAJOR_COMPACTION_JITTER, HConstants.DEFAULT_MAJOR_COMPACTION_JITTER);
    return Math.min(1, Math.max(0, jitter));
  }
}
