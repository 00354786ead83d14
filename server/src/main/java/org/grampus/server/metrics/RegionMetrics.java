package org.grampus.server.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;

/**
 * The metrics of one region. Their names are made once, when it comes online, and go with it. One
 * thread renews, any thread samples.
 */
final class RegionMetrics {
  private static final String METRIC = "_metric_";

  private final RegionNumbers numbers;
  private final List<RegionMetric> metrics;
  private final List<RegionMetric> operations;

  RegionMetrics(Snapshot.Region of) {
    numbers = new RegionNumbers(of);
    String region =
        "Namespace_"
            + numbers.getNamespace()
            + "_table_"
            + numbers.getTableName()
            + "_region_"
            + numbers.getRegionName();
    List<RegionMetric> named = new ArrayList<>(named(RegionMetric.ALL, region + METRIC));
    Set<String> families = numbers.getMixedRowReadsCount().keySet();
    families.forEach(f -> named.add(RegionMetric.readsOfMemstore(f).named(store(region, f))));
    families.forEach(f -> named.add(RegionMetric.mixedReads(f).named(store(region, f))));
    metrics = List.copyOf(named);
    operations = named(RegionMetric.OPERATIONS, region + METRIC);
  }

  private static List<RegionMetric> named(List<RegionMetric> metrics, String prefix) {
    return metrics.stream().map(each -> each.named(prefix)).toList();
  }

  private static String store(String region, String family) {
    return region + "_store_" + family + METRIC;
  }

  void renew(Snapshot.Region of) {
    numbers.renew(of);
  }

  /** Adds all but operations. */
  void addNumbers(MetricsRecordBuilder to) {
    for (RegionMetric each : metrics) {
      each.add(to, numbers);
    }
  }

  /** Adds operations by their kind, which HBase has behind the numbers of all regions. */
  void addOperations(MetricsRecordBuilder to) {
    for (RegionMetric each : operations) {
      each.add(to, numbers);
    }
  }
}
