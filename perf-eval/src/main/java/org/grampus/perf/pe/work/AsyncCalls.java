package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.FutureUtils;

/** Through {@link AsyncTable}. */
record AsyncCalls(AsyncTable<?> table) implements Calls {
  @Override
  public Result get(Get get) throws IOException {
    return FutureUtils.get(table.get(get));
  }

  @Override
  public List<Result> get(List<Get> gets) throws IOException {
    return all(table.get(gets));
  }

  @Override
  public void put(Put put) throws IOException {
    FutureUtils.get(table.put(put));
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    all(table.put(puts));
  }

  private static <T> List<T> all(List<CompletableFuture<T>> futures) throws IOException {
    List<T> answers = new ArrayList<>(futures.size());
    for (CompletableFuture<T> future : futures) {
      answers.add(FutureUtils.get(future));
    }
    return answers;
  }

  @Override
  public void delete(Delete delete) throws IOException {
    FutureUtils.get(table.delete(delete));
  }

  @Override
  public ResultScanner scanner(Scan scan) {
    return table.getScanner(scan);
  }

  /** The table has nothing of its own. */
  @Override
  public void close() {}
}
