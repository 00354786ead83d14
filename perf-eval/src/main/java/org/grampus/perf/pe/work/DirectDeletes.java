package org.grampus.perf.pe.work;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Delete;
import org.grampus.perf.pe.measure.Tally;

/** A call for the delete of each row. */
final class DirectDeletes extends RowTest {
  private Tally tally;
  private RowDeletes deletes;
  private Calls calls;

  @Override
  public void open(TestClient client) throws IOException {
    tally = client.tally();
    deletes = new RowDeletes(client);
    calls = Calls.of(client);
  }

  @Override
  public Step row(long row) throws IOException {
    tally.ask(1);
    Delete delete = deletes.delete(row);
    calls.delete(delete);
    tally.answered(1);
    tally.rows(1);
    tally.bytes(RowBytes.of(delete));
    return Step.SENT;
  }

  @Override
  public void close() throws IOException {
    if (calls != null) {
      calls.close();
    }
  }
}
