package org.grampus.mapreduce.row;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Put;
import org.grampus.mapreduce.source.RecordShape;
import org.grampus.mapreduce.source.SourceRecord;

/** Cells of records. One thread. */
interface RowCells {
  /** Adds the cells of a record to its row. */
  void add(SourceRecord record, Put row) throws BadValueException, MissingColumnException;

  /** Names of the columns that cells are made of, which the caller may add to; null for all. */
  Set<String> columns();

  /** Families of the cells of records with these columns, as far as columns say it. */
  List<byte[]> families(RecordShape shape);
}
