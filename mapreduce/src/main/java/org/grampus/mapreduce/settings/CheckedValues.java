package org.grampus.mapreduce.settings;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableInputFormatBase;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;

/**
 * Numbers and booleans among the values of keys. An invalid one is an {@link
 * IllegalArgumentException} whose sentence begins with the key.
 */
public final class CheckedValues {
  /** Reads a value that is there, to refuse one that cannot be. */
  @FunctionalInterface
  private interface Check {
    void read(Configuration conf, String key);
  }

  private static final Check COUNT = CheckedValues::count;
  private static final Check INT =
      (conf, key) -> number(conf, key, Integer.MIN_VALUE, Integer.MAX_VALUE);
  private static final Check BYTES = (conf, key) -> bytes(conf, key, 0);
  private static final Check BOOL = (conf, key) -> bool(conf, key, false);

  /** Keys that are read by other packages, or by HBase, whatever the job reads from. */
  private static final Map<String, Check> CHECKS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(JobKeys.SPLITS, COUNT),
              Map.entry(JobKeys.SPLITS_PER_SERVER, COUNT),
              Map.entry(JobKeys.SPLIT_BYTES, (conf, key) -> bytes(conf, key, 1)),
              Map.entry(JobKeys.SPLITS_BY_BYTES, BOOL),
              Map.entry(JobKeys.SNAPSHOT_TTL, (conf, key) -> number(conf, key, 0)),
              Map.entry(JobKeys.SNAPSHOT_CACHE_BYTES, BYTES),
              Map.entry(JobKeys.SNAPSHOT_READ_AHEAD, BYTES),
              Map.entry(HBaseKeys.ROW_LIMIT, INT),
              Map.entry(HBaseKeys.LOCALITY, BOOL),
              Map.entry(HBaseKeys.LOCALITY_CUTOFF, CheckedValues::share),
              Map.entry(HBaseKeys.SPLITS_PER_REGION, COUNT),
              Map.entry(TableInputFormatBase.NUM_MAPPERS_PER_REGION, COUNT),
              Map.entry(TableInputFormatBase.MAPREDUCE_INPUT_AUTOBALANCE, BOOL),
              Map.entry(
                  TableInputFormatBase.MAX_AVERAGE_REGION_SIZE,
                  (conf, key) -> number(conf, key, 1)),
              Map.entry(TableInputFormat.SHUFFLE_MAPS, BOOL),
              Map.entry(HBaseKeys.REGION_SIZES, BOOL),
              Map.entry(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, INT),
              Map.entry(Scan.HBASE_CLIENT_SCANNER_ASYNC_PREFETCH, BOOL)));

  private CheckedValues() {}

  /** The keys whose values are checked. */
  static Set<String> checked() {
    return CHECKS.keySet();
  }

  /** Refuses values that cannot be, before anything is planned or taken by them. */
  static void require(Configuration conf) {
    CHECKS.forEach(
        (key, check) -> {
          if (conf.get(key) != null) {
            check.read(conf, key);
          }
        });
  }

  /** A number from 1 on of a key that is set. */
  public static int count(Configuration conf, String key) {
    return (int) number(conf, key, 1, Integer.MAX_VALUE);
  }

  /** The same of a key that may not be set. */
  public static int count(Configuration conf, String key, int otherwise) {
    return conf.get(key) == null ? otherwise : count(conf, key);
  }

  /** A number of a key that is set. */
  public static long number(Configuration conf, String key, long min) {
    return number(conf, key, min, Long.MAX_VALUE);
  }

  static long number(Configuration conf, String key, long min, long max) {
    long value;
    try {
      value = conf.getLong(key, min); // also in hexadecimal digits, as all of Hadoop's numbers
    } catch (NumberFormatException e) {
      throw refused(conf, key, "a number", e);
    }
    if (value < min || value > max) {
      String bound = value < min ? "at least " + min : "at most " + max;
      throw new IllegalArgumentException(key + " must be " + bound + ", not " + value);
    }
    return value;
  }

  /** A number of bytes, which may end with a prefix of Hadoop's, of a key that is set. */
  public static long bytes(Configuration conf, String key, long min) {
    long value;
    try {
      value = conf.getLongBytes(key, min);
    } catch (IllegalArgumentException e) {
      throw refused(conf, key, "a number of bytes, such as 64m,", e);
    }
    if (value < min) {
      throw new IllegalArgumentException(key + " must be at least " + min + ", not " + value);
    }
    return value;
  }

  /** True or false; Hadoop takes what is neither for a key that is not set. */
  public static boolean bool(Configuration conf, String key, boolean otherwise) {
    String value = conf.getTrimmed(key);
    if (value == null) {
      return otherwise;
    }
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw refused(conf, key, "true or false", null);
    }
    return Boolean.parseBoolean(value);
  }

  private static void share(Configuration conf, String key) {
    try {
      Float.parseFloat(conf.getTrimmed(key));
    } catch (NumberFormatException e) {
      throw refused(conf, key, "a number", e);
    }
  }

  private static IllegalArgumentException refused(
      Configuration conf, String key, String noun, Exception cause) {
    return new IllegalArgumentException(key + " must be " + noun + ", not " + conf.get(key), cause);
  }
}
