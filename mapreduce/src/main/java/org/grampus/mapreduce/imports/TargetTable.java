package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The table of an import, before the first row. */
final class TargetTable {
  /** Says where a new table's regions begin. */
  @FunctionalInterface
  interface Borders {
    /** Row keys, ascending, none of them empty. */
    List<byte[]> get() throws IOException;
  }

  private TargetTable() {}

  /**
   * Looks whether a table has families, and creates it if it is not there.
   *
   * @param needed families as far as they are known
   * @param borders of a table that is created
   * @return whether it was created
   * @throws IOException when families are missing, or none is known of a new table
   */
  static boolean require(Admin admin, TableName table, Collection<byte[]> needed, Borders borders)
      throws IOException {
    boolean created = !admin.tableExists(table) && create(admin, table, sorted(needed), borders);
    NavigableSet<byte[]> missing = sorted(needed);
    NavigableSet<byte[]> there = sorted(admin.getDescriptor(table).getColumnFamilyNames());
    missing.removeAll(there);
    if (!missing.isEmpty()) {
      throw new IOException(
          "table " + table + " lacks families: " + names(missing) + "; it has " + names(there));
    }
    return created;
  }

  private static boolean create(
      Admin admin, TableName table, NavigableSet<byte[]> families, Borders borders)
      throws IOException {
    if (families.isEmpty()) {
      throw new IOException(
          "there is no table "
              + table
              + ", and the files do not say which families it needs; create it, or name them with"
              + " --family");
    }
    TableDescriptorBuilder created = TableDescriptorBuilder.newBuilder(table);
    families.forEach(family -> created.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    byte[][] splits = borders.get().toArray(new byte[0][]);
    try {
      admin.createTable(created.build(), splits.length == 0 ? null : splits);
      return true;
    } catch (TableExistsException e) {
      return false; // another import was faster; whether it has the families is looked at next
    }
  }

  private static NavigableSet<byte[]> sorted(Collection<byte[]> families) {
    NavigableSet<byte[]> sorted = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    sorted.addAll(families);
    return sorted;
  }

  private static String names(Collection<byte[]> families) {
    return families.stream().map(Bytes::toStringBinary).collect(Collectors.joining(", "));
  }
}
