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
import org.grampus.compat.suite.target.ServerKind;

/**
 * Which beans a region server should have, and the names and types of their attributes as lines:
 * those of a stock HBase, but for what is listed here. What a server has is read in the same form.
 */
final class ExpectedBeans {
  private static final String OF_TABLES = "RegionServer,sub=TableRequests_Namespace_default_table_";

  private static final List<String> BEANS =
      List.of(
          "RegionServer,sub=Server",
          "RegionServer,sub=IPC",
          "RegionServer,sub=WAL",
          "RegionServer,sub=Regions",
          "RegionServer,sub=Tables",
          "RegionServer,sub=IO",
          "RegionServer,sub=Memory",
          OF_TABLES + "measured",
          "JvmMetrics");

  /** How lines begin that Grampus has beside HBase's. */
  private static final Set<String> WITH_MORE =
      Set.of("RegionServer,sub=Memory", "RegionServer,sub=WAL | leastReplicas");

  /** Beans of a stock HBase that Grampus does not have; docs/metrics.md says why. */
  private static final Set<String> MISSING =
      Set.of(
          "RegionServer,sub=Coprocessor.Region.CP_"
              + "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint",
          "RegionServer,sub=Quotas",
          "RegionServer,sub=Replication");

  /** Beans of Grampus that a stock HBase does not have. */
  private static final Set<String> OWN =
      Set.of(
          "RegionServer,sub=Engine",
          "Master,sub=Coprocessor.Master.CP_org.grampus.server.master.TableGuard");

  private ExpectedBeans() {}

  /** Names and types of a stock HBase's attributes. */
  static Set<String> attributes() throws IOException {
    return lines("/metrics/attributes.txt");
  }

  /** All beans that a server should have beside those of tables other than the test's first. */
  static Set<String> of(ServerKind kind) throws IOException {
    Set<String> beans = lines("/metrics/beans.txt");
    if (kind == ServerKind.GRAMPUS) {
      beans.removeAll(MISSING);
      beans.addAll(OWN);
    }
    return beans;
  }

  private static Set<String> lines(String resource) throws IOException {
    try (InputStream in = ExpectedBeans.class.getResourceAsStream(resource)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** The beans that a server has, without those of tables that tests make as they go. */
  static Set<String> beans(JmxBeans beans) throws Exception {
    Set<String> names = beans.names();
    names.removeIf(name -> name.startsWith(OF_TABLES) && !name.equals(OF_TABLES + "measured"));
    return names;
  }

  /** Whether a line is of a name that Grampus has beside HBase's. */
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
