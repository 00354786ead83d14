package org.grampus.mapreduce.keys;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** The names of our own keys of jobs: docs/configuration.md. */
public final class JobKeys {
  /** What all of them begin with. */
  public static final String PREFIX = "grampus.mapreduce.";

  /** What those begin with that a download says to its tasks. */
  public static final String DOWNLOAD = PREFIX + "download.";

  /** What those begin with that an import says to its tasks. */
  public static final String IMPORT = PREFIX + "import.";

  /** What those begin with that a job says to its tasks that write files of columns. */
  public static final String LOAD = PREFIX + "load.";

  /** Below it the effective settings stand in the job's configuration once it is submitted. */
  public static final String EFFECTIVE = PREFIX + "scan.effective.";

  /** The number of splits, of equal bytes. */
  public static final String SPLITS = PREFIX + "splits";

  /** The bytes of a split. */
  public static final String SPLIT_BYTES = PREFIX + "split.bytes";

  /** The number of splits for each server that has some of the data. */
  public static final String SPLITS_PER_SERVER = PREFIX + "splits.per.server";

  /** Whether the regions of a table are asked where their bytes are; true when not set. */
  public static final String SPLITS_BY_BYTES = PREFIX + "splits.by.bytes";

  /** Bytes of results that one call of a table's scan returns. */
  public static final String SCAN_MAX_RESULT_SIZE = PREFIX + "scan.max.result.size";

  /** A filter in the language of the shell. */
  public static final String SCAN_FILTER = PREFIX + "scan.filter";

  /**
   * The columns of batches with their names and types (docs/downloads.md); without it those of the
   * files.
   */
  public static final String BATCHES_COLUMNS = PREFIX + "batches.columns";

  /** The table of which a job takes a snapshot when it is submitted. */
  public static final String SNAPSHOT_TABLE = PREFIX + "snapshot.table";

  /** The snapshot that goes with the job. */
  public static final String SNAPSHOT_OWN = PREFIX + "snapshot.own";

  /** How long the master keeps such a snapshot at most, in seconds. */
  public static final String SNAPSHOT_TTL = PREFIX + "snapshot.ttl.seconds";

  /** What is kept of files in memory, in bytes, for each region that is open. */
  public static final String SNAPSHOT_CACHE_BYTES = PREFIX + "snapshot.cache.bytes";

  /**
   * What is read ahead of files that the engine does not read itself, in bytes, for each region
   * that is open; 0 = nothing.
   */
  public static final String SNAPSHOT_READ_AHEAD = PREFIX + "snapshot.readahead.bytes";

  private JobKeys() {}

  /**
   * What a job says to its tasks, as it stands there: a name may have a ${ of its own.
   *
   * @throws IOException when the job says nothing
   */
  public static String required(Configuration conf, String key) throws IOException {
    String value = conf.getRaw(key);
    if (value == null) {
      throw new IOException("the job's configuration has no " + key);
    }
    return value;
  }
}
