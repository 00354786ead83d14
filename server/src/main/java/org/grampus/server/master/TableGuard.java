package org.grampus.server.master;

import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;

/**
 * Refuses, in the embedded master, tables that this server could not serve as asked, with the
 * reason: otherwise they would be accepted and either never open or answer wrongly. A cluster's own
 * master loads it through {@code hbase.coprocessor.master.classes}.
 */
public final class TableGuard implements MasterCoprocessor, MasterObserver {
  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  public TableDescriptor preCreateTableRegionsInfos(
      ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table)
      throws DoNotRetryIOException {
    check(table);
    return table;
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableDescriptor table,
      RegionInfo[] regions)
      throws DoNotRetryIOException {
    check(table);
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName name,
      TableDescriptor current,
      TableDescriptor table)
      throws DoNotRetryIOException {
    check(table);
    return table;
  }

  private static void check(TableDescriptor table) throws DoNotRetryIOException {
    if (table.getTableName().isSystemTable()) {
      return;
    }
    if (table.getRegionReplication() > 1) {
      throw refused(table, "region replicas are not supported; set REGION_REPLICATION to 1");
    }
    if (!table.getCoprocessorDescriptors().isEmpty()) {
      throw refused(
          table,
          "coprocessors cannot be loaded: regions are not HBase's HRegions; remove them from the table");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.getEncryptionType() != null) {
        throw refused(
            table,
            "encryption is not supported; remove ENCRYPTION from " + family.getNameAsString());
      }
    }
  }

  private static DoNotRetryIOException refused(TableDescriptor table, String reason) {
    return new DoNotRetryIOException("table " + table.getTableName() + " is refused: " + reason);
  }
}
