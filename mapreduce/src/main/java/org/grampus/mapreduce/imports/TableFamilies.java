package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** The families that a table has, for rows that may name others. */
final class TableFamilies {
  private final TableName table;
  private final NavigableSet<byte[]> names = new TreeSet<>(Bytes.BYTES_COMPARATOR);

  TableFamilies(TableName table, Collection<byte[]> names) {
    this.table = table;
    this.names.addAll(names);
  }

  /** Refuses a row with a cell of a family that the table has not. */
  void require(Put row) throws IOException {
    for (byte[] family : row.getFamilyCellMap().keySet()) {
      if (!names.contains(family)) {
        throw new IOException(
            "table " + table + " has no family " + Bytes.toStringBinary(family) + "; add it");
      }
    }
  }
}
