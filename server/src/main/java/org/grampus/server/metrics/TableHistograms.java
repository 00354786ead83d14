package org.grampus.server.metrics;

import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hadoop.metrics2.lib.DynamicMetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableHistogram;
import org.apache.hadoop.metrics2.lib.MutableSizeHistogram;
import org.apache.hadoop.metrics2.lib.MutableTimeHistogram;

/**
 * The histograms of a table in HBase's bean {@code sub=Tables}, with the memory of {@link
 * SparseHistogram}. They are put in before HBase's source of the table looks for them, and leave
 * with it.
 */
final class TableHistograms {
  private static final Map<String, String> TIMES =
      Map.of(
          MetricsRegionServerSource.FLUSH_TIME,
          MetricsRegionServerSource.FLUSH_TIME_DESC,
          MetricsRegionServerSource.COMPACTION_TIME,
          MetricsRegionServerSource.COMPACTION_TIME_DESC,
          MetricsRegionServerSource.MAJOR_COMPACTION_TIME,
          MetricsRegionServerSource.MAJOR_COMPACTION_TIME_DESC,
          MetricsRegionServerSource.SPLIT_KEY,
          "");

  private static final Map<String, String> SIZES =
      Map.of(
          MetricsRegionServerSource.FLUSH_MEMSTORE_SIZE,
          MetricsRegionServerSource.FLUSH_MEMSTORE_SIZE_DESC,
          MetricsRegionServerSource.FLUSH_OUTPUT_SIZE,
          MetricsRegionServerSource.FLUSH_OUTPUT_SIZE_DESC,
          MetricsRegionServerSource.COMPACTION_INPUT_SIZE,
          MetricsRegionServerSource.COMPACTION_INPUT_SIZE_DESC,
          MetricsRegionServerSource.COMPACTION_OUTPUT_SIZE,
          MetricsRegionServerSource.COMPACTION_OUTPUT_SIZE_DESC,
          MetricsRegionServerSource.MAJOR_COMPACTION_INPUT_SIZE,
          MetricsRegionServerSource.MAJOR_COMPACTION_INPUT_SIZE_DESC,
          MetricsRegionServerSource.MAJOR_COMPACTION_OUTPUT_SIZE,
          MetricsRegionServerSource.MAJOR_COMPACTION_OUTPUT_SIZE_DESC);

  private static final Map<String, String> COUNTS =
      Map.of(
          MetricsRegionServerSource.COMPACTION_INPUT_FILE_COUNT,
          MetricsRegionServerSource.COMPACTION_INPUT_FILE_COUNT_DESC,
          MetricsRegionServerSource.COMPACTION_OUTPUT_FILE_COUNT,
          MetricsRegionServerSource.COMPACTION_OUTPUT_FILE_COUNT_DESC,
          MetricsRegionServerSource.MAJOR_COMPACTION_INPUT_FILE_COUNT,
          MetricsRegionServerSource.MAJOR_COMPACTION_INPUT_FILE_COUNT_DESC,
          MetricsRegionServerSource.MAJOR_COMPACTION_OUTPUT_FILE_COUNT,
          MetricsRegionServerSource.MAJOR_COMPACTION_OUTPUT_FILE_COUNT_DESC);

  private TableHistograms() {}

  /** Puts a table's histograms into the registry of the bean, under HBase's names. */
  static void add(String table, DynamicMetricsRegistry registry) {
    TableName name = TableName.valueOf(table);
    String prefix =
        "Namespace_"
            + name.getNamespaceAsString()
            + "_table_"
            + name.getQualifierAsString()
            + "_metric_";
    add(registry, prefix, TIMES, Times::new);
    add(registry, prefix, SIZES, Sizes::new);
    add(registry, prefix, COUNTS, Counts::new);
  }

  @SuppressWarnings("RestrictedApi") // no other method of it takes a metric
  private static void add(
      DynamicMetricsRegistry registry,
      String prefix,
      Map<String, String> descriptions,
      BiFunction<String, String, MutableHistogram> made) {
    descriptions.forEach(
        (name, description) ->
            registry
                .getMetricsMap()
                .computeIfAbsent(prefix + name, added -> made.apply(added, description)));
  }

  private static final class Times extends MutableTimeHistogram {
    Times(String name, String description) {
      super(name, description);
      histogram = new SparseHistogram();
    }
  }

  private static final class Sizes extends MutableSizeHistogram {
    Sizes(String name, String description) {
      super(name, description);
      histogram = new SparseHistogram();
    }
  }

  private static final class Counts extends MutableHistogram {
    Counts(String name, String description) {
      super(name, description);
      histogram = new SparseHistogram();
    }
  }
}
