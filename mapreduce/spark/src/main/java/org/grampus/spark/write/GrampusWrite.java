package org.grampus.spark.write;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.util.Time;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.grampus.spark.conf.SentConfiguration;
import org.grampus.spark.mapping.Mapping;

/**
 * Puts the rows of a data frame into a table. There is no transaction: when it fails, rows that
 * were sent stay. All cells without a {@code +ts} field have the time at which the write began, so
 * that a task that runs twice, or goes on when it counts as lost, sends the same cells again and
 * hides nothing that was written since.
 */
public final class GrampusWrite implements WriteBuilder, Write, BatchWrite {
  private final Configuration conf;
  private final TableName table;
  private final RowPuts puts;

  /**
   * A write of rows.
   *
   * @param schema of the rows
   * @throws IllegalArgumentException when they have no row key, or a field that is not mapped
   */
  public GrampusWrite(Configuration conf, TableName table, Mapping mapping, StructType schema) {
    this.conf = conf;
    this.table = table;
    this.puts = RowPuts.of(mapping, schema);
  }

  @Override
  public Write build() {
    return this;
  }

  @Override
  public String description() {
    return "grampus " + table.getNameAsString();
  }

  @Override
  public BatchWrite toBatch() {
    return this;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return new PutWriters(
        new SentConfiguration(conf), table.getNameAsString(), puts.at(Time.now()));
  }

  /** Nothing is gained by letting one of two equal tasks wait: both have sent the same cells. */
  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  /** All tasks have had their rows acknowledged. */
  @Override
  public void commit(WriterCommitMessage[] messages) {}

  /** What was sent stays. */
  @Override
  public void abort(WriterCommitMessage[] messages) {}
}
