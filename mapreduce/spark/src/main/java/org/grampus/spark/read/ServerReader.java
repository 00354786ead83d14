package org.grampus.spark.read;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.grampus.mapreduce.columns.ServerResults;
import org.grampus.spark.mapping.Column;
import org.grampus.spark.mapping.Field;
import org.grampus.spark.mapping.Values;

/** The rows of a split of a table, from its servers. */
final class ServerReader implements PartitionReader<InternalRow> {
  private final ServerResults results;
  private final Field[] fields;
  private InternalRow current;

  /**
   * A reader that has read nothing.
   *
   * @param results become the reader's, which closes them
   * @param fields that are wanted
   */
  ServerReader(ServerResults results, Field[] fields) {
    this.results = results;
    this.fields = fields;
  }

  @Override
  public boolean next() throws IOException {
    NativeReader.requireTask();
    Result result = results.next();
    if (result == null) {
      return false;
    }
    Object[] values = new Object[fields.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(result, fields[i]);
    }
    current = new GenericInternalRow(values);
    return true;
  }

  private static Object value(Result row, Field field) throws IOException {
    Column column = field.column();
    try {
      if (column.isKey()) {
        return Values.decode(column.type(), row.getRow());
      }
      Cell cell = row.getColumnLatestCell(column.family(), column.qualifier());
      if (cell == null) {
        return null;
      }
      return field.isTimestamp()
          ? (Object) Values.micros(cell.getTimestamp())
          : Values.decode(column.type(), CellUtil.cloneValue(cell));
    } catch (IllegalArgumentException e) {
      String where =
          column.isKey()
              ? "the row key"
              : "column "
                  + Bytes.toStringBinary(column.family())
                  + ":"
                  + Bytes.toStringBinary(column.qualifier());
      String name = Bytes.toStringBinary(row.getRow());
      throw new IOException("row " + name + ", " + where + ": " + e.getMessage(), e);
    }
  }

  @Override
  public InternalRow get() {
    return current;
  }

  @Override
  public void close() throws IOException {
    results.close();
  }
}
