package org.grampus.perf.pe.server;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.security.User;

/** A connection whose {@link Witness} learns of its gets and scans. HBase's factory makes it. */
final class WitnessedConnection implements Connection {
  private final Configuration conf;
  private final Witness witness;
  private final Connection inner;

  WitnessedConnection(
      Configuration conf, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    this.conf = conf;
    this.witness = Witness.of(conf);
    this.inner =
        ConnectionFactory.createConnection(Witness.unwatched(conf), pool, user, attributes);
    witness.opened(this);
  }

  @Override
  public Table getTable(TableName name) throws IOException {
    Table table = inner.getTable(name);
    return (Table)
        Proxy.newProxyInstance(
            Table.class.getClassLoader(),
            new Class<?>[] {Table.class},
            (proxy, method, arguments) -> call(table, method, arguments));
  }

  private Object call(Table table, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("get")) {
      witness.asked(arguments[0]);
    }
    Object answer;
    try {
      answer = method.invoke(table, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    return answer instanceof ResultScanner scanner
        ? new CountedScanner(scanner, witness.asked((Scan) arguments[0]))
        : answer;
  }

  /** Counts rows that come back. */
  private record CountedScanner(ResultScanner inner, AtomicLong rows) implements ResultScanner {
    @Override
    public Result next() throws IOException {
      Result result = inner.next();
      if (result != null) {
        rows.incrementAndGet();
      }
      return result;
    }

    @Override
    public void close() {
      inner.close();
    }

    @Override
    public boolean renewLease() {
      return inner.renewLease();
    }

    @Override
    public ScanMetrics getScanMetrics() {
      return inner.getScanMetrics();
    }
  }

  @Override
  public void close() throws IOException {
    witness.closed(this);
    inner.close();
  }

  @Override
  public boolean isClosed() {
    return inner.isClosed();
  }

  @Override
  public void abort(String why, Throwable cause) {
    inner.abort(why, cause);
  }

  @Override
  public boolean isAborted() {
    return inner.isAborted();
  }

  @Override
  public Configuration getConfiguration() {
    return conf;
  }

  @Override
  public BufferedMutator getBufferedMutator(TableName name) throws IOException {
    return inner.getBufferedMutator(name);
  }

  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams parameters) throws IOException {
    return inner.getBufferedMutator(parameters);
  }

  @Override
  public RegionLocator getRegionLocator(TableName name) throws IOException {
    return inner.getRegionLocator(name);
  }

  @Override
  public void clearRegionLocationCache() {
    inner.clearRegionLocationCache();
  }

  @Override
  public Admin getAdmin() throws IOException {
    return inner.getAdmin();
  }

  @Override
  public TableBuilder getTableBuilder(TableName name, ExecutorService pool) {
    return inner.getTableBuilder(name, pool);
  }
}
