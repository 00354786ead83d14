package org.grampus.perf.trouble;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.grampus.perf.ToolException;

/**
 * Puts that are on their way to a server while it stands still: the kernel takes them, and the
 * server finds them in its sockets when it goes on. For one thread.
 */
final class PendingPuts implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 120;

  private final AsyncConnection connection;
  private final AsyncTable<?> table;
  private final List<CompletableFuture<Void>> puts = new ArrayList<>();

  /** Connects with a client that sends each put once, and waits for its answer for long. */
  PendingPuts(Configuration configuration, TableName table)
      throws ToolException, InterruptedException {
    Configuration conf = new Configuration(configuration);
    conf.setInt("hbase.client.retries.number", 0);
    conf.setLong("hbase.rpc.timeout", TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    conf.setLong("hbase.client.operation.timeout", TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    try {
      connection = ConnectionFactory.createAsyncConnection(conf).get();
    } catch (ExecutionException e) {
      throw new ToolException("cannot connect to the cluster", e.getCause());
    }
    this.table = connection.getTable(table);
  }

  /** Makes the client know where a row is, and connect. */
  void visit(byte[] row) throws ToolException, InterruptedException {
    try {
      table.put(put(row)).get();
    } catch (ExecutionException e) {
      throw new ToolException("a put before the pause failed", e.getCause());
    }
  }

  /** Sends a put and does not wait. */
  void send(byte[] row) {
    puts.add(table.put(put(row)));
  }

  private static Put put(byte[] row) {
    return new Put(row).addColumn(PausedServer.FAMILY, PausedServer.PENDING, row);
  }

  /** Whether all that were sent are still without an answer. */
  boolean areAllPending() {
    return puts.stream().noneMatch(CompletableFuture::isDone);
  }

  /** Waits for the end of all puts; returns how many were acknowledged. */
  int acknowledged() throws ToolException, InterruptedException {
    int acknowledged = 0;
    for (CompletableFuture<Void> put : puts) {
      try {
        put.get(2 * TIMEOUT_SECONDS, TimeUnit.SECONDS);
        acknowledged++;
      } catch (ExecutionException e) {
        continue; // it failed, as it must
      } catch (TimeoutException e) {
        throw new ToolException("a put has no end after " + 2 * TIMEOUT_SECONDS + " s", e);
      }
    }
    return acknowledged;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
