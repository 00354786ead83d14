package org.grampus.perf.pe.work;

import java.io.IOException;
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
    calls.delete(deletes.delete(row));
    tally.answered(1);
    tally.rows(1);
    return Step.SENT;
  }

  @Override
  public void close() throws IOException {
    if (calls != null) {
      calls.close();
    }
  }
}
