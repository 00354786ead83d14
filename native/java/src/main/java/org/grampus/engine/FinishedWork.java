package org.grampus.engine;

/**
 * A flush of a region or a compaction of a store that is done.
 *
 * @param number its place among all since the start, from 1
 * @param table with its namespace, but for the default one
 * @param millis how long it took
 * @param inputFiles files that it read; 0 for a flush
 * @param inputBytes of these files, or of memtables
 * @param outputBytes of the files that it wrote
 */
public record FinishedWork(
    long number,
    Kind kind,
    String table,
    long millis,
    long inputFiles,
    long inputBytes,
    long outputBytes) {
  /** What was done. */
  public enum Kind {
    FLUSH,
    MINOR,
    MAJOR
  }
}
