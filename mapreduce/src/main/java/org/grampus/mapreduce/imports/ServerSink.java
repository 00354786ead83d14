package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.IOUtils;
import org.grampus.mapreduce.command.Sentence;

/**
 * Puts rows through the servers of a table, as many at a time as the client's write buffer holds.
 * Rows have arrived when the servers have acknowledged them.
 */
final class ServerSink implements RowSink {
  private final TableName table;
  private final Connection connection;
  private final ExecutorService calls;
  private final BufferedMutator mutator;
  private final TableFamilies families;
  private final long bufferBytes;
  private final Listener listener;
  private final KeptRows kept = new KeptRows();
  private long keptBytes;
  private long keptRecords;
  private long keptCells;

  private ServerSink(Configuration conf, Table table, Connection connection, Listener listener)
      throws IOException {
    this.table = table.getName();
    this.families = new TableFamilies(this.table, table.getDescriptor().getColumnFamilyNames());
    this.connection = connection;
    this.calls = Executors.newCachedThreadPool(ServerSink::daemon);
    this.bufferBytes =
        conf.getLong(
            ConnectionConfiguration.WRITE_BUFFER_SIZE_KEY,
            ConnectionConfiguration.WRITE_BUFFER_SIZE_DEFAULT);
    // this sink says when to flush, for it counts what has arrived
    this.mutator =
        connection.getBufferedMutator(
            new BufferedMutatorParams(this.table).pool(calls).writeBufferSize(2 * bufferBytes));
    this.listener = listener;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "import-calls");
    thread.setDaemon(true);
    return thread;
  }

  static ServerSink open(Configuration conf, TableName name, Listener listener) throws IOException {
    Connection connection = ConnectionFactory.createConnection(conf);
    try (Table table = connection.getTable(name)) {
      return new ServerSink(conf, table, connection, listener);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(connection);
      throw e;
    }
  }

  @Override
  public void write(Put row) throws IOException {
    families.require(row);
    keptBytes += row.heapSize();
    keptRecords++;
    keptCells += row.size();
    kept.add(row);
    if (keptBytes >= bufferBytes) {
      flush();
    }
  }

  @Override
  public void flush() throws IOException {
    int rows = kept.size();
    try {
      mutator.mutate(kept.take());
      mutator.flush();
    } catch (RetriesExhaustedWithDetailsException e) {
      throw refused(e, rows);
    }
    listener.arrived(keptRecords, keptCells);
    keptBytes = 0;
    keptRecords = 0;
    keptCells = 0;
  }

  private IOException refused(RetriesExhaustedWithDetailsException e, int rows) {
    Throwable cause = e.getCause(0);
    return new IOException(
        "table "
            + table
            + " has not taken "
            + e.getNumExceptions()
            + " of "
            + rows
            + " rows, among them "
            + Bytes.toStringBinary(e.getRow(0).getRow())
            + " at "
            + e.getHostnamePort(0)
            + ": "
            + (cause instanceof Exception exception ? Sentence.of(exception) : cause),
        e);
  }

  /** The mutator is not closed: it would send what it has kept. */
  @Override
  public void close() throws IOException {
    calls.shutdownNow();
    connection.close();
  }
}
