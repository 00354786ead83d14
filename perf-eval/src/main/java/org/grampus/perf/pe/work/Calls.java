package org.grampus.perf.pe.work;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/** Calls to a table, each of which waits for its answer, through either of HBase's clients. */
interface Calls extends Closeable {
  Result get(Get get) throws IOException;

  List<Result> get(List<Get> gets) throws IOException;

  void put(Put put) throws IOException;

  void put(List<Put> puts) throws IOException;

  void delete(Delete delete) throws IOException;

  ResultScanner scanner(Scan scan) throws IOException;

  /** Those of the client's connection. */
  static Calls of(TestClient client) throws IOException {
    return client.connection().async() == null
        ? new TableCalls(client.connection().sync().getTable(client.table()))
        : new AsyncCalls(client.connection().async().getTable(client.table()));
  }
}
