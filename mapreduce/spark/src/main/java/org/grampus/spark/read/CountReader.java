package org.grampus.spark.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;

/** One row, which says how many rows a split has. */
final class CountReader implements PartitionReader<InternalRow> {
  /** Counts. */
  interface Rows extends Closeable {
    /** How many more there are; 0 at the end. */
    long next() throws IOException;
  }

  private final Rows rows;
  private final int fields;
  private boolean done;
  private InternalRow current;

  /**
   * A reader that has counted nothing.
   *
   * @param rows become the reader's, which closes them
   * @param fields of the row, which all say the same
   */
  CountReader(Rows rows, int fields) {
    this.rows = rows;
    this.fields = fields;
  }

  @Override
  public boolean next() throws IOException {
    if (done) {
      return false;
    }
    long count = 0;
    for (long more = rows.next(); more > 0; more = rows.next()) {
      count += more;
    }
    Object[] values = new Object[fields];
    Arrays.fill(values, count);
    current = new GenericInternalRow(values);
    done = true;
    return true;
  }

  @Override
  public InternalRow get() {
    return current;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
