package org.grampus.mapreduce.settings;

import java.util.List;
import java.util.Set;

/** The names of our own keys of jobs: docs/configuration.md. */
public final class JobKeys {
  /** What all of them begin with. */
  static final String PREFIX = "grampus.mapreduce.";

  /** The number of splits. */
  public static final String SPLITS = PREFIX + "splits";

  /** The bytes of a split. */
  public static final String SPLIT_BYTES = PREFIX + "split.bytes";

  /** The number of splits for each server. */
  public static final String SPLITS_PER_SERVER = PREFIX + "splits.per.server";

  /** Whether servers are asked where the bytes of a table are. */
  public static final String SPLITS_BY_BYTES = PREFIX + "splits.by.bytes";

  /** The columns of batches. */
  public static final String BATCHES_COLUMNS = PREFIX + "batches.columns";

  /** The table of which a job takes a snapshot. */
  public static final String SNAPSHOT_TABLE = PREFIX + "snapshot.table";

  /** The snapshot that goes with the job. */
  public static final String SNAPSHOT_OWN = PREFIX + "snapshot.own";

  /** How long the master keeps such a snapshot, in seconds. */
  public static final String SNAPSHOT_TTL = PREFIX + "snapshot.ttl.seconds";

  /** What is kept of files in memory, in bytes. */
  public static final String SNAPSHOT_CACHE_BYTES = PREFIX + "snapshot.cache.bytes";

  /** What is read ahead of files, in bytes. */
  public static final String SNAPSHOT_READ_AHEAD = PREFIX + "snapshot.readahead.bytes";

  /** Keys that mean nothing to jobs over a table. */
  static final List<String> OF_SNAPSHOTS =
      List.of(
          BATCHES_COLUMNS,
          SNAPSHOT_TABLE,
          SNAPSHOT_OWN,
          SNAPSHOT_TTL,
          SNAPSHOT_CACHE_BYTES,
          SNAPSHOT_READ_AHEAD);

  private static final Set<String> OF_BOTH =
      Set.of(
          SPLITS,
          SPLIT_BYTES,
          SPLITS_PER_SERVER,
          SPLITS_BY_BYTES,
          ScanKeys.FILTER,
          ScanKeys.MAX_RESULT_SIZE);

  /** What is said to a job by what has made it. */
  private static final List<String> INTERNAL =
      List.of(
          ScanSettings.EFFECTIVE_PREFIX,
          PREFIX + "download.",
          PREFIX + "import.",
          PREFIX + "load.");

  private JobKeys() {}

  /** Whether only what makes a job sets such a key. */
  static boolean isInternal(String key) {
    return INTERNAL.stream().anyMatch(key::startsWith);
  }

  /** Whether there is such a key. */
  static boolean isKnown(String key) {
    return OF_BOTH.contains(key) || OF_SNAPSHOTS.contains(key) || isInternal(key);
  }
}
