package org.grampus.mapreduce.settings;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;

/** The keys that say what a job's scan is: HBase's, and a few that it lacks. */
final class ScanKeys {
  static final String PREFIX = TableInputFormat.SCAN + ".";

  /** Bytes of results that one call of a table's scan returns. */
  static final String MAX_RESULT_SIZE = JobKeys.PREFIX + "scan.max.result.size";

  /** A filter in the language of the shell. */
  static final String FILTER = JobKeys.PREFIX + "scan.filter";

  static final String CLIENT_CACHING = HConstants.HBASE_CLIENT_SCANNER_CACHING;
  static final String CLIENT_MAX_RESULT_SIZE = HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY;

  /** Whether splits of a snapshot name hosts. */
  static final String LOCALITY = IgnoredKeys.OF_HBASES_SNAPSHOTS + "locality.enabled";

  /** Which hosts splits of a snapshot name. */
  static final String LOCALITY_CUTOFF = "hbase.tablesnapshotinputformat.locality.cutoff.multiplier";

  static final String SPLITS_PER_REGION = "hbase.mapreduce.splits.per.region";

  /** A table whose regions' start keys cut the splits of another one. */
  static final String SPLITTABLE = "hbase.mapreduce.splittable";

  /** How HBase cuts regions of snapshots. */
  static final String SPLIT_ALGORITHM = "hbase.mapreduce.split.algorithm";

  /** Whether HBase's calculator asks servers how large their regions are. */
  static final String REGION_SIZES = "hbase.regionsizecalculator.enable";

  /** The old API's columns. */
  static final String COLUMN_LIST = org.apache.hadoop.hbase.mapred.TableInputFormat.COLUMN_LIST;

  /** All keys below {@link #PREFIX} that mean something. */
  static final Set<String> KNOWN =
      new TreeSet<>(
          List.of(
              TableInputFormat.SCAN_ROW_START,
              TableInputFormat.SCAN_ROW_STOP,
              TableInputFormat.SCAN_COLUMN_FAMILY,
              TableInputFormat.SCAN_COLUMNS,
              TableInputFormat.SCAN_TIMESTAMP,
              TableInputFormat.SCAN_TIMERANGE_START,
              TableInputFormat.SCAN_TIMERANGE_END,
              TableInputFormat.SCAN_MAXVERSIONS,
              TableInputFormat.SCAN_CACHEBLOCKS,
              TableInputFormat.SCAN_CACHEDROWS,
              TableInputFormat.SCAN_BATCHSIZE));

  /** All keys of what a Scan has, too. */
  static final List<String> OF_SCAN =
      Stream.concat(KNOWN.stream(), Stream.of(MAX_RESULT_SIZE, FILTER)).toList();

  /** All keys that say which rows and cells a scan has, and not only how it asks for them. */
  static final List<String> SELECTION =
      List.of(
          TableInputFormat.SCAN_ROW_START,
          TableInputFormat.SCAN_ROW_STOP,
          TableInputFormat.SCAN_COLUMN_FAMILY,
          TableInputFormat.SCAN_COLUMNS,
          COLUMN_LIST,
          TableInputFormat.SCAN_TIMESTAMP,
          TableInputFormat.SCAN_TIMERANGE_START,
          TableInputFormat.SCAN_TIMERANGE_END,
          TableInputFormat.SCAN_MAXVERSIONS,
          TableInputFormat.SCAN_BATCHSIZE,
          FILTER,
          ScanSettings.ROW_LIMIT);

  /** All keys that say which table or snapshot is read, or with which Scan. */
  static final List<String> INPUT =
      List.of(
          TableInputFormat.SCAN,
          TableInputFormat.INPUT_TABLE,
          IgnoredKeys.SNAPSHOT_NAME,
          JobKeys.SNAPSHOT_TABLE,
          JobKeys.SNAPSHOT_OWN);

  private ScanKeys() {}
}
