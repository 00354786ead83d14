package org.grampus.mapreduce.settings;

import java.util.List;
import java.util.Set;
import org.grampus.mapreduce.keys.JobKeys;

/** Which of our own keys of jobs there are, and of which jobs. */
final class KnownKeys {
  /** Keys that mean nothing to jobs over a table. */
  static final List<String> OF_SNAPSHOTS =
      List.of(
          JobKeys.BATCHES_COLUMNS,
          JobKeys.SNAPSHOT_TABLE,
          JobKeys.SNAPSHOT_OWN,
          JobKeys.SNAPSHOT_TTL,
          JobKeys.SNAPSHOT_CACHE_BYTES,
          JobKeys.SNAPSHOT_READ_AHEAD);

  private static final Set<String> OF_BOTH =
      Set.of(
          JobKeys.SPLITS,
          JobKeys.SPLIT_BYTES,
          JobKeys.SPLITS_PER_SERVER,
          JobKeys.SPLITS_BY_BYTES,
          JobKeys.SCAN_FILTER,
          JobKeys.SCAN_MAX_RESULT_SIZE);

  /** What is said to a job by what has made it. */
  private static final List<String> INTERNAL =
      List.of(JobKeys.EFFECTIVE, JobKeys.DOWNLOAD, JobKeys.IMPORT, JobKeys.LOAD);

  private KnownKeys() {}

  /** Whether only what makes a job sets such a key. */
  static boolean isInternal(String key) {
    return INTERNAL.stream().anyMatch(key::startsWith);
  }

  /** Whether there is such a key. */
  static boolean isKnown(String key) {
    return OF_BOTH.contains(key) || OF_SNAPSHOTS.contains(key) || isInternal(key);
  }
}
