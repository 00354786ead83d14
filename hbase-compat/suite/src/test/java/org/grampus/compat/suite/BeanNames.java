package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Names and types of a region server's beans, as lines. */
final class BeanNames {
  private static final List<String> BEANS =
      List.of(
          "RegionServer,sub=Server",
          "RegionServer,sub=IPC",
          "RegionServer,sub=WAL",
          "RegionServer,sub=Regions",
          "RegionServer,sub=Tables",
          "RegionServer,sub=IO",
          "RegionServer,sub=Memory",
          "RegionServer,sub=TableRequests_Namespace_default_table_measured",
          "JvmMetrics");

  /** Beans in which Grampus has names of its own beside HBase's. */
  private static final Set<String> WITH_MORE = Set.of("RegionServer,sub=Memory");

  private BeanNames() {}

  /** Those of a stock HBase. */
  static Set<String> golden() throws IOException {
    try (InputStream in = BeanNames.class.getResourceAsStream("/metrics/beans.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Whether a line is of a bean in which Grampus has names of its own. */
  static boolean isOfMore(String line) {
    return WITH_MORE.stream().anyMatch(line::startsWith);
  }

  /**
   * Those that a server has, whose beans are waited for.
   *
   * @param region the encoded name of the table's region, which stands as REGION in lines
   */
  static Set<String> lines(JmxBeans beans, String region, long maxMillis) throws Exception {
    Set<String> lines = new TreeSet<>();
    for (String bean : BEANS) {
      long deadline = System.currentTimeMillis() + maxMillis;
      while (beans.types(bean).size() <= 2) {
        assertTrue(System.currentTimeMillis() < deadline, "there is no bean " + bean);
        Thread.sleep(100);
      }
      comparable(beans.types(bean), region)
          .forEach((name, type) -> lines.add(bean + " | " + name + " | " + type));
    }
    return lines;
  }

  /** Names of regions, and ranges of histograms, which are there only when something is in them. */
  private static Map<String, String> comparable(Map<String, String> types, String region) {
    Map<String, String> kept = new TreeMap<>();
    types.forEach(
        (name, type) -> {
          // HBase looks for the reads of a family 45 seconds after a region's open
          if ((isOfServer(name) || isMeasured(name)) && !name.contains("_store_f_metric_")) {
            kept.put(name.replace(region, "REGION"), type);
          }
        });
    return kept;
  }

  private static boolean isOfServer(String name) {
    return !name.contains("_table_")
        && !name.contains("RangeCount_")
        && !name.contains(":")
        && !(name.contains(".append") && !name.startsWith("measured."));
  }

  private static boolean isMeasured(String name) {
    return name.contains("_table_measured_") && !name.contains("RangeCount_");
  }
}
