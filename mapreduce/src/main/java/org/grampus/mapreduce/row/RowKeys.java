package org.grampus.mapreduce.row;

import java.util.Collection;
import org.grampus.mapreduce.source.SourceRecord;

/** Row keys of records. One thread. */
interface RowKeys {
  /** The key of a record, of whatever length; null when it has none. */
  byte[] of(SourceRecord record) throws BadValueException, MissingColumnException;

  /** Names of the columns that keys are made of. */
  Collection<String> columns();
}
