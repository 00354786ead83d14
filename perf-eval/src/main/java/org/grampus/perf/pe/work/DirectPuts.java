package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.grampus.perf.pe.measure.Tally;

/** A call for each row, or for several of them; the last ones are sent at the end. */
final class DirectPuts extends RowTest {
  private final List<Put> kept = new ArrayList<>();
  private Tally tally;
  private RowPuts puts;
  private int batch;
  private Calls calls;

  @Override
  public void open(TestClient client) throws IOException {
    tally = client.tally();
    puts = new RowPuts(client);
    batch = client.options().writes().multiPut();
    calls = Calls.of(client);
  }

  @Override
  public Step row(long row) throws IOException {
    tally.ask(1);
    if (batch == 0) {
      Put put = puts.put(row);
      calls.put(put);
      acknowledged(List.of(put));
      return Step.SENT;
    }
    kept.add(puts.put(row));
    return kept.size() < batch ? Step.KEPT : send();
  }

  private Step send() throws IOException {
    calls.put(List.copyOf(kept)); // HBase's table takes what it has sent out of the list
    acknowledged(kept);
    kept.clear();
    return Step.SENT;
  }

  private void acknowledged(List<Put> rows) {
    tally.answered(rows.size());
    tally.rows(rows.size());
    rows.forEach(put -> tally.bytes(RowBytes.of(put)));
  }

  @Override
  public Step finish() throws IOException {
    return kept.isEmpty() ? Step.KEPT : send();
  }

  @Override
  public void close() throws IOException {
    if (calls != null) {
      calls.close();
    }
  }
}
