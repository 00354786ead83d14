package org.grampus.server.procedure;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.snapshot.SnapshotManager;
import org.apache.hadoop.hbase.regionserver.snapshot.RegionServerSnapshotManager;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFanOut;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.RegionSnapshots;

/**
 * Snapshot of an enabled table: the arguments are its description. A region that is on no server
 * just then is missed; the master counts them and fails the snapshot.
 */
final class TableSnapshot implements ProcedureKind {
  private final RegionRegistry registry;
  private final RegionSnapshots snapshots;
  private final RegionFanOut fanOut;

  TableSnapshot(RegionRegistry registry, RegionSnapshots snapshots, RegionFanOut fanOut) {
    this.registry = registry;
    this.snapshots = snapshots;
    this.fanOut = fanOut;
  }

  @Override
  public String signature() {
    return SnapshotManager.ONLINE_SNAPSHOT_CONTROLLER_DESCRIPTION;
  }

  @Override
  public long timeoutMillis(Configuration conf) {
    return conf.getLong(
        RegionServerSnapshotManager.SNAPSHOT_TIMEOUT_MILLIS_KEY,
        RegionServerSnapshotManager.SNAPSHOT_TIMEOUT_MILLIS_DEFAULT);
  }

  @Override
  public int threads(Configuration conf) {
    return conf.getInt(
        RegionServerSnapshotManager.SNAPSHOT_REQUEST_THREADS_KEY,
        RegionServerSnapshotManager.SNAPSHOT_REQUEST_THREADS_DEFAULT);
  }

  @Override
  public ProcedureTask task(String name, byte[] arguments) {
    return new Task(arguments);
  }

  private final class Task implements ProcedureTask {
    private final byte[] arguments;

    Task(byte[] arguments) {
      this.arguments = arguments;
    }

    @Override
    public void commit() throws IOException, InterruptedException {
      SnapshotDescription snapshot = SnapshotDescription.parseFrom(arguments);
      List<OnlineRegion> regions = registry.ofTable(TableName.valueOf(snapshot.getTable()));
      fanOut.run(regions, region -> snapshots.add(snapshot, region));
    }
  }
}
