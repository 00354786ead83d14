package org.grampus.compat.table;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * What a table may not ask for beside a {@link FileTracker}. The engine would write its rows as
 * plain text, or leave out what a coprocessor adds or guards; so no region of it opens, whatever
 * master has made it.
 */
public final class TableCheck {
  private TableCheck() {}

  /** Refuses a table that asks for one of them. */
  public static void check(TableDescriptor table) throws DoNotRetryIOException {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.getEncryptionType() != null) {
        throw refusal(
            table,
            "encryption is not supported; remove ENCRYPTION from " + family.getNameAsString());
      }
    }
    // hbase:meta names the one endpoint that the server has
    if (!table.getTableName().isSystemTable() && !table.getCoprocessorDescriptors().isEmpty()) {
      throw refusal(
          table,
          "coprocessors cannot be loaded: regions are not HBase's HRegions; remove them from the table");
    }
  }

  /** The refusal of a table for a reason. */
  public static DoNotRetryIOException refusal(TableDescriptor table, String reason) {
    return new DoNotRetryIOException("table " + table.getTableName() + " is refused: " + reason);
  }
}
