package org.grampus.mapreduce.settings;

/** What a job reads from, and how; decides which settings have an effect. */
public enum ReaderKind {
  /** A table, through the servers. */
  TABLE,
  /** The same by a format of the old API. */
  TABLE_OF_OLD_API,
  /** A snapshot's files. */
  SNAPSHOT,
  /** A snapshot's files, as the batches of a job. */
  BATCHES,
  /** Files that are no table's, such as those of an import. */
  FILES;

  /** Whether it reads through servers. */
  boolean ofTable() {
    return this == TABLE || this == TABLE_OF_OLD_API;
  }

  /** Whether it reads a snapshot. */
  boolean ofSnapshot() {
    return this == SNAPSHOT || this == BATCHES;
  }
}
