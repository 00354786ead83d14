package org.grampus.mapreduce.settings;

/** How a job reads: not every setting means something to each. */
public enum ReaderKind {
  /** Through the servers. */
  TABLE,
  /** A snapshot's files. */
  SNAPSHOT
}
