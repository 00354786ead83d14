package org.grampus.server.master;

import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.table.FileTracker;
import org.grampus.compat.table.TableCheck;

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
    check(context, table);
    return table;
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableDescriptor table,
      RegionInfo[] regions)
      throws DoNotRetryIOException {
    check(context, table);
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName name,
      TableDescriptor current,
      TableDescriptor table)
      throws DoNotRetryIOException {
    check(context, table);
    return table;
  }

  @Override
  public String preModifyTableStoreFileTracker(
      ObserverContext<MasterCoprocessorEnvironment> context, TableName name, String tracker)
      throws DoNotRetryIOException {
    FileTracker.check("table " + name, tracker);
    return tracker;
  }

  @Override
  public String preModifyColumnFamilyStoreFileTracker(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName name,
      byte[] family,
      String tracker)
      throws DoNotRetryIOException {
    FileTracker.check("the family " + Bytes.toStringBinary(family) + " of " + name, tracker);
    return tracker;
  }

  /** What the call names takes the place of what table and families say (CLONE_SFT). */
  @Override
  public void preCloneSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> context,
      SnapshotDescription snapshot,
      TableDescriptor table)
      throws DoNotRetryIOException {
    String named = trackerOfCall();
    if (named.isEmpty()) {
      FileTracker.check(table, context.getEnvironment().getConfiguration());
    } else {
      FileTracker.check("table " + table.getTableName(), named);
    }
    TableCheck.check(table);
  }

  /** The master tells observers all of a clone but its tracker. */
  private static String trackerOfCall() {
    return RpcServer.getCurrentCall()
        .map(RpcCall::getParam)
        .filter(RestoreSnapshotRequest.class::isInstance)
        .map(call -> ((RestoreSnapshotRequest) call).getCustomSFT())
        .orElse("");
  }

  /** Families that the table does not have now come with the tracker of the snapshot. */
  @Override
  public void preRestoreSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> context,
      SnapshotDescription snapshot,
      TableDescriptor table)
      throws DoNotRetryIOException {
    FileTracker.check(table, context.getEnvironment().getConfiguration());
    TableCheck.check(table);
  }

  private static void check(
      ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table)
      throws DoNotRetryIOException {
    FileTracker.check(table, context.getEnvironment().getConfiguration());
    TableCheck.check(table);
    if (!table.getTableName().isSystemTable() && table.getRegionReplication() > 1) {
      throw TableCheck.refusal(
          table, "region replicas are not supported; set REGION_REPLICATION to 1");
    }
  }
}
