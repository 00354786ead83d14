package org.grampus.compat.table;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.grampus.engine.FamilyDescription;

/**
 * Which files of a family are merged and when, from HBase's keys with HBase's defaults
 * (CompactionConfiguration, HStore). A key of the family goes before one of the table, and that
 * before one of the server.
 */
final class CompactionAdapter {
  private static final String MIN_KEY = "hbase.hstore.compaction.min";
  private static final String MIN_BYTES_KEY = "hbase.hstore.compaction.min.size";
  private static final String MAX_KEY = "hbase.hstore.compaction.max";
  private static final String MAX_BYTES_KEY = "hbase.hstore.compaction.max.size";
  private static final String RATIO_KEY = "hbase.hstore.compaction.ratio";
  private static final String BLOCKING_FILES_KEY = "hbase.hstore.blockingStoreFiles";
  private static final String OLD_MIN_KEY = "hbase.hstore.compactionThreshold";
  private static final String THROTTLE_KEY = "hbase.regionserver.thread.compaction.throttle";
  private static final int FILES_MIN = 3;
  private static final int FILES_MAX = 10;
  private static final float RATIO = 1.2f;
  private static final int BLOCKING_FILES = 16;

  private CompactionAdapter() {}

  /** The settings from a store's configuration, which holds the table's and the family's keys. */
  static FamilyDescription.Compaction of(TableDescriptor table, Configuration conf) {
    long flushBytes = table.getMemStoreFlushSize();
    if (flushBytes <= 0) {
      flushBytes =
          conf.getLong(
              HConstants.HREGION_MEMSTORE_FLUSH_SIZE,
              TableDescriptorBuilder.DEFAULT_MEMSTORE_FLUSH_SIZE);
    }
    int filesMin = Math.max(2, conf.getInt(MIN_KEY, conf.getInt(OLD_MIN_KEY, FILES_MIN)));
    int filesMax = conf.getInt(MAX_KEY, FILES_MAX);
    return new FamilyDescription.Compaction(
        filesMin,
        Math.max(filesMin, filesMax),
        conf.getLong(MIN_BYTES_KEY, flushBytes),
        conf.getLong(MAX_BYTES_KEY, Long.MAX_VALUE),
        conf.getFloat(RATIO_KEY, RATIO),
        conf.getLong(THROTTLE_KEY, 2L * filesMax * flushBytes),
        conf.getInt(BLOCKING_FILES_KEY, BLOCKING_FILES),
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
