package org.grampus.server.procedure;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.snapshot.SnapshotManager;
import org.apache.hadoop.hbase.procedure.flush.MasterFlushTableProcedureManager;
import org.apache.hadoop.hbase.procedure.flush.RegionServerFlushTableProcedureManager;
import org.apache.hadoop.hbase.regionserver.snapshot.RegionServerSnapshotManager;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.grampus.server.region.RegionFanOut;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.RegionSnapshots;

/**
 * What tells one kind of procedure over a table's regions from another. Any thread.
 *
 * @param signature the kind's name in ZooKeeper
 * @param timeoutMillis how long this server's part may take
 * @param threads how many procedures may run at a time
 * @param prepare the part before all servers have met
 * @param commit the part after all servers have met, which is never before {@code prepare} is over
 *     on every server
 */
record ProcedureKind(String signature, long timeoutMillis, int threads, Part prepare, Part commit) {
  private static final Part NOTHING = (name, arguments) -> {};

  /** One of the two parts of a procedure. */
  @FunctionalInterface
  interface Part {
    /** Runs it for a procedure; arguments that make no sense are an IOException. */
    void run(String name, byte[] arguments) throws IOException, InterruptedException;
  }

  /**
   * Flush of a table: the procedure's name is the table's. All families are flushed, also when the
   * client names some of them.
   */
  static ProcedureKind flush(Configuration conf, RegionRegistry registry, RegionFanOut fanOut) {
    return new ProcedureKind(
        MasterFlushTableProcedureManager.FLUSH_TABLE_PROCEDURE_SIGNATURE,
        conf.getLong(
            RegionServerFlushTableProcedureManager.FLUSH_TIMEOUT_MILLIS_KEY,
            RegionServerFlushTableProcedureManager.FLUSH_TIMEOUT_MILLIS_DEFAULT),
        conf.getInt(
            RegionServerFlushTableProcedureManager.FLUSH_REQUEST_THREADS_KEY,
            RegionServerFlushTableProcedureManager.FLUSH_REQUEST_THREADS_DEFAULT),
        (table, arguments) ->
            fanOut.run(
                registry.ofTable(TableName.valueOf(table)), region -> region.engine().flush()),
        NOTHING);
  }

  /**
   * Snapshot of an enabled table: the arguments are its description. A region that is on no server
   * just then is missed; the master counts them and fails the snapshot.
   */
  static ProcedureKind snapshot(
      Configuration conf, RegionRegistry registry, RegionSnapshots snapshots, RegionFanOut fanOut) {
    return new ProcedureKind(
        SnapshotManager.ONLINE_SNAPSHOT_CONTROLLER_DESCRIPTION,
        conf.getLong(
            RegionServerSnapshotManager.SNAPSHOT_TIMEOUT_MILLIS_KEY,
            RegionServerSnapshotManager.SNAPSHOT_TIMEOUT_MILLIS_DEFAULT),
        conf.getInt(
            RegionServerSnapshotManager.SNAPSHOT_REQUEST_THREADS_KEY,
            RegionServerSnapshotManager.SNAPSHOT_REQUEST_THREADS_DEFAULT),
        NOTHING,
        (name, arguments) -> {
          SnapshotDescription snapshot = SnapshotDescription.parseFrom(arguments);
          fanOut.run(
              registry.ofTable(TableName.valueOf(snapshot.getTable())),
              region -> snapshots.add(snapshot, region));
        });
  }
}
