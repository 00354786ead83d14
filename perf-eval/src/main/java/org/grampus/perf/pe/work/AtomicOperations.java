package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;

/** The operations of {@link AtomicCalls}. Checks compare with a value that is put before. */
final class AtomicOperations {
  private AtomicOperations() {}

  static void increment(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Increment increment = new Increment(row);
    for (byte[] family : families) {
      increment.addColumn(family, qualifier, 1);
    }
    table.increment(increment);
  }

  static void append(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Append append = new Append(row);
    for (byte[] family : families) {
      append.addColumn(family, qualifier, row);
    }
    table.append(append);
  }

  static void checkAndPut(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Put put = put(table, row, families[0], qualifier);
    table.checkAndMutate(check(row, families[0], qualifier).build(put));
  }

  static void checkAndMutate(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Put put = put(table, row, families[0], qualifier);
    table.checkAndMutate(check(row, families[0], qualifier).build(RowMutations.of(List.of(put))));
  }

  static void checkAndDelete(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    put(table, row, families[0], qualifier);
    Delete delete = new Delete(row).addColumn(families[0], qualifier);
    table.checkAndMutate(check(row, families[0], qualifier).build(delete));
  }

  private static Put put(Table table, byte[] row, byte[] family, byte[] qualifier)
      throws IOException {
    Put put = new Put(row).addColumn(family, qualifier, row);
    table.put(put);
    return put;
  }

  private static CheckAndMutate.Builder check(byte[] row, byte[] family, byte[] qualifier) {
    return CheckAndMutate.newBuilder(row).ifEquals(family, qualifier, row);
  }
}
