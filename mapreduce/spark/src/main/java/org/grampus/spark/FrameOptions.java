package org.grampus.spark;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.spark.mapping.ConnectorMapping;
import org.grampus.spark.mapping.Mapping;

/**
 * The options of a data frame (docs/spark.md). What has a dot is a configuration key. Immutable.
 */
final class FrameOptions {
  private static final String TABLE = "table";
  private static final String CONNECTOR_TABLE = "hbase.table";
  private static final String SNAPSHOT = "snapshot";
  private static final String COLUMNS = "columns";
  private static final String CONNECTOR_COLUMNS = "hbase.columns.mapping";
  private static final String SERVER = "server";
  private static final String TIME_RANGE = "timerange";
  private static final String PRESENT = "present";

  /** How files of Hadoop are called that say what holds where nothing is said. */
  private static final String DEFAULTS = "-default.xml";

  private static final Set<String> KNOWN =
      Set.of(TABLE, SNAPSHOT, COLUMNS, SERVER, TIME_RANGE, PRESENT);

  private static final Set<String> OF_READS = Set.of(SNAPSHOT, SERVER, TIME_RANGE, PRESENT);

  private final Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /**
   * Options as the user gave them.
   *
   * @throws IllegalArgumentException when one is not known, or two exclude each other
   */
  FrameOptions(Map<String, String> options) {
    given.putAll(options);
    for (String key : options.keySet()) {
      boolean known = key.contains(".") || KNOWN.contains(key.toLowerCase(Locale.ROOT));
      if (!known) {
        throw new IllegalArgumentException(
            "there is no option " + key + "; the options are in docs/spark.md");
      }
      if (ScanSettings.selectsRows(key)) {
        throw new IllegalArgumentException(
            "the option " + key + " is no option of a data frame: filter and select its rows");
      }
      if (ScanSettings.selectsInput(key)) {
        throw new IllegalArgumentException(
            "the option "
                + key
                + " is no option of a data frame: the options table and snapshot say what it reads");
      }
    }
    requireOne(TABLE, CONNECTOR_TABLE);
    requireOne(COLUMNS, CONNECTOR_COLUMNS);
    scan(); // refuses a time range that cannot be
    if (isOfServers() && snapshot() != null) {
      throw new IllegalArgumentException("server reads the live table, and no snapshot");
    }
    if (isOfServers() && mapping() == null) {
      throw new IllegalArgumentException(
          "server needs columns: only files say which columns there are");
    }
  }

  private void requireOne(String key, String other) {
    if (given.containsKey(key) && given.containsKey(other)) {
      throw new IllegalArgumentException("the options " + key + " and " + other + " are the same");
    }
  }

  /**
   * Refuses what a write cannot mean.
   *
   * @throws IllegalArgumentException when an option says which rows are read
   */
  void requireWritable() {
    for (String key : given.keySet()) {
      if (OF_READS.contains(key.toLowerCase(Locale.ROOT)) || key.startsWith(JobKeys.PREFIX)) {
        throw new IllegalArgumentException(
            "the option " + key + " is one of reads, and a write has no use for it");
      }
    }
  }

  private String either(String key, String other) {
    return given.getOrDefault(key, given.get(other));
  }

  /** The table. */
  TableName table() {
    String name = either(TABLE, CONNECTOR_TABLE);
    if (name == null) {
      throw new IllegalArgumentException("the option table is missing: the name of a table");
    }
    return TableName.valueOf(name);
  }

  /** The snapshot that is read; null for the live table. */
  String snapshot() {
    return given.get(SNAPSHOT);
  }

  /** Whether region servers are asked, and no files read. */
  boolean isOfServers() {
    String value = given.getOrDefault(SERVER, "false");
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw new IllegalArgumentException("the option server is true or false, not " + value);
    }
    return Boolean.parseBoolean(value);
  }

  /** The columns; null = those that the files have. */
  Mapping mapping() {
    if (given.containsKey(COLUMNS)) {
      return Mapping.parse(given.get(COLUMNS));
    }
    String connector = given.get(CONNECTOR_COLUMNS);
    return connector == null ? null : ConnectorMapping.parse(connector);
  }

  /** The name of a column that every row has; null when none is known. */
  String present() {
    return given.get(PRESENT);
  }

  /** A scan of the times that are wanted. */
  Scan scan() {
    Scan scan = new Scan().setCacheBlocks(false);
    String range = given.get(TIME_RANGE);
    if (range == null) {
      return scan;
    }
    String[] ends = range.split(",", -1);
    try {
      if (ends.length != 2) {
        throw new IllegalArgumentException(ends.length + " numbers");
      }
      TimeRange times = TimeRange.between(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
      return scan.setTimeRange(times.getMin(), times.getMax());
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the option timeRange is FROM,TO in milliseconds, not " + range, e);
    }
  }

  /**
   * What leads to the cluster: hbase-site.xml, what the Spark context has, and the options; later
   * ones win. What the context has from Hadoop's defaults is not set.
   */
  Configuration configuration(Configuration session) {
    Configuration conf = HBaseConfiguration.create();
    for (Map.Entry<String, String> entry : session) {
      String[] sources = session.getPropertySources(entry.getKey());
      if (sources == null || !sources[0].endsWith(DEFAULTS)) {
        conf.set(entry.getKey(), entry.getValue());
      }
    }
    given.forEach(
        (key, value) -> {
          if (key.contains(".")) {
            conf.set(key, value);
          }
        });
    return conf;
  }
}
