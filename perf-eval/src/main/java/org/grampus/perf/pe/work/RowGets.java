package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.FilterAllFilter;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Trait;

/** A get of each row, or a call for several of them. */
final class RowGets extends RowTest {
  private final List<Get> gets = new ArrayList<>();
  private PeOptions options;
  private Columns columns;
  private Judge judge;
  private Tally tally;
  private int batch;
  private Calls calls;

  @Override
  public void open(TestClient client) throws IOException {
    options = client.options();
    tally = client.tally();
    columns = Columns.of(options);
    judge = new Judge(client, columns);
    Command command = options.command();
    batch = command.is(Trait.RANDOM) ? options.reads().multiGet() : 0;
    calls = Calls.of(client);
  }

  @Override
  public Step row(long row) throws IOException {
    Get get = get(row);
    tally.ask(1);
    if (batch == 0) {
      judge.answer(row, calls.get(get));
      return Step.SENT;
    }
    gets.add(get);
    return gets.size() < batch ? Step.KEPT : send();
  }

  private Get get(long row) throws IOException {
    Get get = new Get(RowKey.of(row));
    columns.addTo(get);
    if (judge.filtered()) {
      get.setFilter(new FilterAllFilter());
    }
    if (options.table().replicas() > 1) {
      get.setConsistency(Consistency.TIMELINE);
    }
    return get;
  }

  private Step send() throws IOException {
    List<Result> results = calls.get(gets);
    for (int i = 0; i < results.size(); i++) {
      judge.answer(RowKey.number(gets.get(i).getRow()), results.get(i));
    }
    gets.clear();
    return Step.SENT;
  }

  @Override
  public Step finish() throws IOException {
    return gets.isEmpty() ? Step.KEPT : send();
  }

  @Override
  public void close() throws IOException {
    if (calls != null) {
      calls.close();
    }
  }
}
