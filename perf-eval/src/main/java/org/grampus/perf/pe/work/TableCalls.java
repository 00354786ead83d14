package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Through {@link Table}. */
record TableCalls(Table table) implements Calls {
  @Override
  public Result get(Get get) throws IOException {
    return table.get(get);
  }

  @Override
  public List<Result> get(List<Get> gets) throws IOException {
    return Arrays.asList(table.get(gets));
  }

  @Override
  public void put(Put put) throws IOException {
    table.put(put);
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    table.put(puts);
  }

  @Override
  public void delete(Delete delete) throws IOException {
    table.delete(delete);
  }

  @Override
  public ResultScanner scanner(Scan scan) throws IOException {
    return table.getScanner(scan);
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
