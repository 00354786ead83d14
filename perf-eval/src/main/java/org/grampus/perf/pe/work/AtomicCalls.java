package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.measure.Tally;

/**
 * Calls that read and write a row in one, in a column that has the name of HBase's test. All
 * clients take the same rows. An operation is what is done to a row, also where it takes two calls.
 */
final class AtomicCalls extends RowTest {
  /** What is done to a row; returns the bytes that were written, nothing for a wrong answer. */
  @FunctionalInterface
  interface Operation {
    OptionalLong run(Table table, byte[] row, byte[][] families, byte[] qualifier)
        throws IOException;
  }

  private final Operation operation;
  private Tally tally;
  private Columns columns;
  private byte[] qualifier;
  private Table table;

  AtomicCalls(Operation operation) {
    this.operation = operation;
  }

  @Override
  public void open(TestClient client) throws IOException {
    tally = client.tally();
    columns = Columns.of(client.options());
    qualifier = Bytes.toBytes(client.options().command().testClass());
    table = client.connection().sync().getTable(client.table());
  }

  @Override
  public Step row(long row) throws IOException {
    tally.ask(1);
    OptionalLong bytes = operation.run(table, RowKey.of(row), columns.families(), qualifier);
    tally.answered(1);
    if (bytes.isPresent()) {
      tally.rows(1);
      tally.bytes(bytes.getAsLong());
    } else {
      tally.wrong();
    }
    return Step.SENT;
  }

  @Override
  public void close() throws IOException {
    if (table != null) {
      table.close();
    }
  }
}
