package org.grampus.mapreduce.job;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How a line of a CSV file becomes a row: the row key is the named columns joined by a separator,
 * every column of the header is a cell of one family, values are the text as it stands. Empty
 * fields have no cell.
 */
final class CsvTable {
  private static final int ROW_BYTES_MAX = Short.MAX_VALUE;

  private final byte[] family;
  private final List<byte[]> qualifiers;
  private final int[] keyColumns;
  private final String keySeparator;

  /** A table for a header; every key column must be in it. */
  CsvTable(List<String> header, List<String> keyColumns, String keySeparator, String family)
      throws ImportException {
    if (keyColumns.isEmpty()) {
      throw new ImportException(
          "no key columns are named; give --key with columns of the header: " + header);
    }
    this.family = Bytes.toBytes(family);
    this.qualifiers = new ArrayList<>();
    header.forEach(name -> qualifiers.add(Bytes.toBytes(name)));
    this.keyColumns = new int[keyColumns.size()];
    for (int i = 0; i < this.keyColumns.length; i++) {
      this.keyColumns[i] = header.indexOf(keyColumns.get(i));
      if (this.keyColumns[i] < 0) {
        throw new ImportException(
            "key column " + keyColumns.get(i) + " is not in the header " + header);
      }
    }
    this.keySeparator = keySeparator;
  }

  /** The row of a line. */
  Put put(CSVRecord line) throws ImportException {
    if (line.size() != qualifiers.size()) {
      throw new ImportException(
          "line "
              + line.getRecordNumber()
              + " has "
              + line.size()
              + " fields, the header has "
              + qualifiers.size());
    }
    Put put = new Put(key(line));
    for (int i = 0; i < line.size(); i++) {
      String value = line.get(i);
      if (!value.isEmpty()) {
        put.addColumn(family, qualifiers.get(i), Bytes.toBytes(value));
      }
    }
    if (put.isEmpty()) {
      throw new ImportException("line " + line.getRecordNumber() + " has no value");
    }
    return put;
  }

  private byte[] key(CSVRecord line) throws ImportException {
    StringBuilder key = new StringBuilder();
    for (int column : keyColumns) {
      if (!key.isEmpty()) {
        key.append(keySeparator);
      }
      key.append(line.get(column));
    }
    byte[] row = Bytes.toBytes(key.toString());
    if (row.length == 0 || row.length > ROW_BYTES_MAX) {
      throw new ImportException(
          "line "
              + line.getRecordNumber()
              + " has a row key of "
              + row.length
              + " bytes; 1 to "
              + ROW_BYTES_MAX
              + " are possible");
    }
    return row;
  }
}
