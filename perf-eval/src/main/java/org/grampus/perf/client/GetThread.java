package org.grampus.perf.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.table.TableShape;

/** One thread's gets over a connection of its own. */
final class GetThread implements Callable<Histogram>, Closeable {
  private final Connection connection;
  private final Table table;
  private final long rows;
  private final long operations;
  private final SplittableRandom random;

  private GetThread(Connection connection, Table table, long rows, long operations, int seed) {
    this.connection = connection;
    this.table = table;
    this.rows = rows;
    this.operations = operations;
    random = new SplittableRandom(seed);
  }

  /**
   * Connects, asks where all regions are, and gets one row.
   *
   * @param rows of the table, with the keys of as many numbers from 0
   * @param operations gets of a call
   * @param seed of which rows they are
   */
  static GetThread open(Configuration conf, TableName name, long rows, long operations, int seed)
      throws IOException {
    Connection connection = ConnectionFactory.createConnection(conf);
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      locator.getAllRegionLocations();
      Table table = connection.getTable(name);
      GetThread thread = new GetThread(connection, table, rows, operations, seed);
      thread.get();
      return thread;
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  /** Gets rows; returns the latencies in µs. */
  @Override
  public Histogram call() throws IOException {
    return TimedCalls.repeat(operations, this::get);
  }

  private void get() throws IOException {
    long row = random.nextLong(rows);
    Get get = new Get(RowKey.of(row));
    get.addColumn(TableShape.family(0), TableShape.qualifier(0));
    if (table.get(get).isEmpty()) {
      throw new IOException("there is no row " + row + " in " + table.getName());
    }
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      table.close();
    }
  }
}
