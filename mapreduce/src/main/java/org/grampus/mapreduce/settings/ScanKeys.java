package org.grampus.mapreduce.settings;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;

/** Which keys say what a job's scan is: HBase's, and a few that it lacks. */
final class ScanKeys {
  static final String PREFIX = TableInputFormat.SCAN + ".";

  static final String CLIENT_CACHING = HConstants.HBASE_CLIENT_SCANNER_CACHING;
  static final String CLIENT_MAX_RESULT_SIZE = HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY;

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
      Stream.concat(KNOWN.stream(), Stream.of(JobKeys.SCAN_MAX_RESULT_SIZE, JobKeys.SCAN_FILTER))
          .toList();

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
          JobKeys.SCAN_FILTER,
          HBaseKeys.ROW_LIMIT);

  /** All keys that say which table or snapshot is read, or with which Scan. */
  static final List<String> INPUT =
      List.of(
          TableInputFormat.SCAN,
          TableInputFormat.INPUT_TABLE,
          HBaseKeys.SNAPSHOT_NAME,
          JobKeys.SNAPSHOT_TABLE,
          JobKeys.SNAPSHOT_OWN);

  private ScanKeys() {}
}
