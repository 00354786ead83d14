package org.grampus.spark.write;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** Sends the rows of one task, many at a time. One thread. */
final class PutWriter implements DataWriter<InternalRow> {
  private static final WriterCommitMessage DONE = new WriterCommitMessage() {};

  private final Connection connection;
  private final BufferedMutator mutator;
  private final RowPuts puts;

  private PutWriter(Connection connection, BufferedMutator mutator, RowPuts puts) {
    this.connection = connection;
    this.mutator = mutator;
    this.puts = puts;
  }

  /** A writer with a connection of its own, which its close ends. */
  static PutWriter open(Configuration conf, TableName table, RowPuts puts) throws IOException {
    Connection connection = ConnectionFactory.createConnection(conf);
    try {
      return new PutWriter(connection, connection.getBufferedMutator(table), puts);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public void write(InternalRow row) throws IOException {
    Put put = puts.put(row);
    if (put != null) {
      mutator.mutate(put);
    }
  }

  /** All rows are acknowledged when this returns. */
  @Override
  public WriterCommitMessage commit() throws IOException {
    mutator.close(); // which sends what is left, and fails where a row was not taken
    return DONE;
  }

  /** Rows that are not sent yet go with the connection; those that are, stay. */
  @Override
  public void abort() {}

  /** Closing the mutator would send what it still has. */
  @Override
  public void close() throws IOException {
    connection.close();
  }
}
