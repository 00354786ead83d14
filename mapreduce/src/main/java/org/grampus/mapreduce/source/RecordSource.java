package org.grampus.mapreduce.source;

import java.io.Closeable;
import java.io.IOException;

/** The records of a split, in their order. One thread. */
public interface RecordSource extends Closeable {
  /**
   * The next record, or null at the end.
   *
   * @throws IOException when the file cannot be read, or what comes cannot be told apart into
   *     records
   */
  SourceRecord next() throws IOException;

  /** Where the last record is. */
  Place place();

  /** The last record as text, for a list of bad records. */
  String raw();

  /** How much of the split is read, from 0 to 1. */
  float progress() throws IOException;
}
