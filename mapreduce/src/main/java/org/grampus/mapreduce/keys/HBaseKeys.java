package org.grampus.mapreduce.keys;

/** The names of those of HBase's keys of jobs that have no constant in its public classes. */
public final class HBaseKeys {
  /** What those of HBase's format of snapshots begin with. */
  public static final String SNAPSHOT_PREFIX = "hbase.TableSnapshotInputFormat.";

  /** The snapshot that a job reads. */
  public static final String SNAPSHOT_NAME = SNAPSHOT_PREFIX + "snapshot.name";

  /** The number of results that a split of a snapshot returns at most, 0 = all. */
  public static final String ROW_LIMIT = SNAPSHOT_PREFIX + "row.limit.per.inputsplit";

  /** Where HBase restores a snapshot. */
  public static final String RESTORE_DIR = SNAPSHOT_PREFIX + "restore.dir";

  /** Whether splits of a snapshot name hosts. */
  public static final String LOCALITY = SNAPSHOT_PREFIX + "locality.enabled";

  /** Which hosts splits of a snapshot name. */
  public static final String LOCALITY_CUTOFF =
      "hbase.tablesnapshotinputformat.locality.cutoff.multiplier";

  /** Whether the hosts are those of the live table's regions. */
  public static final String LOCALITY_BY_REGION = SNAPSHOT_PREFIX + "locality.by.region.location";

  /** How HBase reads a snapshot's files. */
  public static final String READ_TYPE = SNAPSHOT_PREFIX + "scanner.readtype";

  /** Whether HBase counts what it reads of a snapshot. */
  public static final String SCAN_METRICS = SNAPSHOT_PREFIX + "scan_metrics.enabled";

  /** The number of splits for each region of a snapshot. */
  public static final String SPLITS_PER_REGION = "hbase.mapreduce.splits.per.region";

  /** A table whose regions' start keys cut the splits of another one. */
  public static final String SPLITTABLE = "hbase.mapreduce.splittable";

  /** How HBase cuts regions of snapshots. */
  public static final String SPLIT_ALGORITHM = "hbase.mapreduce.split.algorithm";

  /** Whether HBase's calculator asks servers how large their regions are. */
  public static final String REGION_SIZES = "hbase.regionsizecalculator.enable";

  /** Rows between two lines of the log of HBase's reader. */
  public static final String SCANNER_ROW_COUNT = "hbase.mapreduce.log.scanner.rowcount";

  private HBaseKeys() {}
}
