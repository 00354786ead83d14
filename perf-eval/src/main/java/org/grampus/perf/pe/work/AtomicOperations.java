package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;

/**
 * The operations of {@link AtomicCalls}. Checks compare with a value that is put before. Each
 * returns the bytes of what was written; nothing where the answer is wrong.
 */
final class AtomicOperations {
  private AtomicOperations() {}

  static OptionalLong increment(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Increment increment = new Increment(row);
    for (byte[] family : families) {
      increment.addColumn(family, qualifier, 1);
    }
    table.increment(increment);
    return OptionalLong.of(RowBytes.of(increment));
  }

  static OptionalLong append(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Append append = new Append(row);
    for (byte[] family : families) {
      append.addColumn(family, qualifier, row);
    }
    table.append(append);
    return OptionalLong.of(RowBytes.of(append));
  }

  static OptionalLong checkAndPut(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Put put = put(table, row, families[0], qualifier);
    return written(table, check(row, families[0], qualifier).build(put), 2 * RowBytes.of(put));
  }

  static OptionalLong checkAndMutate(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Put put = put(table, row, families[0], qualifier);
    RowMutations mutations = RowMutations.of(List.of(put));
    return written(
        table, check(row, families[0], qualifier).build(mutations), 2 * RowBytes.of(put));
  }

  static OptionalLong checkAndDelete(Table table, byte[] row, byte[][] families, byte[] qualifier)
      throws IOException {
    Put put = put(table, row, families[0], qualifier);
    Delete delete = new Delete(row).addColumn(families[0], qualifier);
    // Another client may have deleted the value in between, so the check may fail.
    table.checkAndMutate(check(row, families[0], qualifier).build(delete));
    return OptionalLong.of(RowBytes.of(put) + RowBytes.of(delete));
  }

  /** All clients put the same value before, so that the check has to hold. */
  private static OptionalLong written(Table table, CheckAndMutate check, long bytes)
      throws IOException {
    return table.checkAndMutate(check).isSuccess() ? OptionalLong.of(bytes) : OptionalLong.empty();
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
