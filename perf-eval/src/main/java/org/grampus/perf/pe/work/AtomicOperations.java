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

  static long increment(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Increment increment = new Increment(row);
    for (byte[] family : families) {
      increment.addColumn(family, qualifier, 1);
    }
    table.increment(increment);
    return RowBytes.of(increment);
  }

  static long append(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Append append = new Append(row);
    for (byte[] family : families) {
      append.addColumn(family, qualifier, row);
    }
    table.append(append);
    return RowBytes.of(append);
  }

  static long checkAndPut(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Put put = put(table, row, families[0], qualifier);
    table.checkAndMutate(check(row, families[0], qualifier).build(put));
    return 2 * RowBytes.of(put);
  }

  static long checkAndMutate(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Put put = put(table, row, families[0], qualifier);
    table.checkAndMutate(check(row, families[0], qualifier).build(RowMutations.of(List.of(put))));
    return 2 * RowBytes.of(put);
  }

  static long checkAndDelete(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Put put = put(table, row, families[0], qualifier);
    Delete delete = new Delete(row).addColumn(families[0], qualifier);
    table.checkAndMutate(check(row, families[0], qualifier).build(delete));
    return RowBytes.of(put) + RowBytes.of(delete);
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
