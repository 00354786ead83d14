package org.grampus.perf.judges;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;
import org.grampus.perf.process.ProgramEnd;

/** HBase's {@code RowCounter} over a table of as many rows as are known. */
final class RowCount implements Judge {
  private static final String COUNTER = "org.apache.hadoop.hbase.mapreduce.RowCounter";
  private static final TableName TABLE = TableName.valueOf("counted");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int REGIONS = 6;

  private final int rows;

  /** With a number of rows. */
  RowCount(int rows) {
    this.rows = rows;
  }

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    fill(bench);
    return judge(run(bench, TABLE.getNameAsString()));
  }

  /** Counts the rows of a table beside faults. */
  static ProgramEnd run(JudgeBench bench, String table)
      throws ToolException, IOException, InterruptedException {
    return bench.jobBesideFaults(COUNTER, table);
  }

  private void fill(JudgeBench bench) throws IOException {
    try (Admin admin = bench.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          row(rows / REGIONS),
          row(rows - rows / REGIONS),
          REGIONS);
    }
    try (BufferedMutator table = bench.connection().getBufferedMutator(TABLE)) {
      for (int i = 0; i < rows; i++) {
        table.mutate(new Put(row(i)).addColumn(FAMILY, FAMILY, row(i)));
      }
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(number);
  }

  /** What its output means. */
  Judgement judge(ProgramEnd end) {
    long counted = new Counters(end.output()).get("ROWS");
    Objections objections = Objections.of(end);
    objections.unless(counted == rows, counted + " rows counted of " + rows + " written");
    return objections.with(counted + " rows counted");
  }
}
