package org.grampus.compat.suite.hostile;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A client that does its work: puts, gets that must find them, short scans. */
final class GoodClient implements AutoCloseable {
  private static final int ROWS = 2_000;
  private static final int SCANNED_ROWS = 20;
  private static final int OPERATIONS_PER_SCAN = 10;

  private final Connection connection;
  private final AtomicLong operations = new AtomicLong();
  private final AtomicInteger errors = new AtomicInteger();
  private final Thread thread = new Thread(this::work, "good-client");
  private volatile boolean done;
  private volatile String lastError = "";

  GoodClient(Connection connection) {
    this.connection = connection;
    thread.setDaemon(true);
    thread.start();
  }

  private void work() {
    byte[] qualifier = Bytes.toBytes("q");
    try (Table table = connection.getTable(Tables.GOOD)) {
      for (int i = 0; !done; i++) {
        try {
          operate(table, qualifier, i);
        } catch (IOException e) {
          lastError = String.valueOf(e);
          errors.incrementAndGet();
        }
      }
    } catch (IOException e) {
      lastError = String.valueOf(e);
      errors.incrementAndGet();
    }
  }

  private void operate(Table table, byte[] qualifier, int i) throws IOException {
    byte[] row = Bytes.toBytes(String.format("%06d", i % ROWS));
    table.put(new Put(row).addColumn(Tables.FAMILY, qualifier, Bytes.toBytes(i)));
    operations.incrementAndGet();
    byte[] value = table.get(new Get(row)).getValue(Tables.FAMILY, qualifier);
    if (value == null || Bytes.toInt(value) != i) {
      throw new IOException("a put of " + i + " is not read");
    }
    operations.incrementAndGet();
    if (i % OPERATIONS_PER_SCAN == 0) {
      try (ResultScanner results = table.getScanner(new Scan().setLimit(SCANNED_ROWS))) {
        for (Result ignored : results) {
          continue;
        }
      }
      operations.incrementAndGet();
    }
  }

  long operations() {
    return operations.get();
  }

  int errors() {
    return errors.get();
  }

  String lastError() {
    return lastError;
  }

  @Override
  public void close() {
    done = true;
    try {
      thread.join(60_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
