package org.grampus.spark.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.grampus.spark.conf.SentConfiguration;

/** Opens the writers of tasks in executors. */
final class PutWriters implements DataWriterFactory {
  private static final long serialVersionUID = 1;

  private final SentConfiguration conf;
  private final String table;
  private final RowPuts puts;

  PutWriters(SentConfiguration conf, String table, RowPuts puts) {
    this.conf = conf;
    this.table = table;
    this.puts = puts;
  }

  @Override
  public DataWriter<InternalRow> createWriter(int partition, long task) {
    try {
      return PutWriter.open(conf.get(), TableName.valueOf(table), puts);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + table + ": " + e.getMessage(), e);
    }
  }
}
