package org.grampus.perf.ycsb;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** YCSB's core workloads, as its files workloada to workloadf have them. */
public enum CoreMix {
  /** Half reads, half updates. */
  A("half reads, half updates", "zipfian", Map.of("read", 0.5, "update", 0.5)),
  /** Reads mostly. */
  B("95 % reads, 5 % updates", "zipfian", Map.of("read", 0.95, "update", 0.05)),
  /** Reads only. */
  C("reads", "zipfian", Map.of("read", 1.0)),
  /** Reads of what was inserted last. */
  D("95 % reads of the latest, 5 % inserts", "latest", Map.of("read", 0.95, "insert", 0.05)),
  /** Short ranges. */
  E("95 % scans of 1 to 100 rows, 5 % inserts", "zipfian", Map.of("scan", 0.95, "insert", 0.05)),
  /** Records that are read, changed and written. */
  F("half reads, half read-modify-writes", "zipfian", Map.of("read", 0.5, "readmodifywrite", 0.5)),
  /** As A, on all records alike: nothing is hot. */
  EVEN("half reads, half updates of any record", "uniform", Map.of("read", 0.5, "update", 0.5));

  private static final String[] OPERATIONS = {
    "read", "update", "insert", "scan", "readmodifywrite"
  };

  private final String what;
  private final String distribution;

  @SuppressWarnings("ImmutableEnumChecker") // a map that nothing changes
  private final Map<String, Double> parts;

  CoreMix(String what, String distribution, Map<String, Double> parts) {
    this.what = what;
    this.distribution = distribution;
    this.parts = new TreeMap<>(parts);
  }

  /** In words. */
  public String what() {
    return what;
  }

  /** As options have it. */
  public String option() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it adds records. */
  boolean inserts() {
    return parts.containsKey("insert");
  }

  /**
   * YCSB's properties, all as texts.
   *
   * @param records of the table before the run; those that it inserts come behind them
   * @param operations of the run
   */
  Properties properties(long records, long operations) {
    Properties properties = new Properties();
    properties.setProperty("recordcount", String.valueOf(records));
    properties.setProperty("operationcount", String.valueOf(operations));
    properties.setProperty("requestdistribution", distribution);
    properties.setProperty("maxscanlength", "100");
    properties.setProperty("scanlengthdistribution", "uniform");
    properties.setProperty("readallfields", "true");
    Arrays.stream(OPERATIONS)
        .forEach(
            operation ->
                properties.setProperty(
                    operation + "proportion", String.valueOf(parts.getOrDefault(operation, 0.0))));
    return properties;
  }
}
