package org.grampus.mapreduce.settings;

/** What a job reads from; decides which settings have an effect. */
public enum ReaderKind {
  /** Through the servers. */
  TABLE,
  /** A snapshot's files. */
  SNAPSHOT
}
