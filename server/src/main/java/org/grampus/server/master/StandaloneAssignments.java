package org.grampus.server.master;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.TransitRegionStateProcedure;
import org.apache.hadoop.hbase.master.procedure.MasterProcedureEnv;
import org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure;
import org.apache.hadoop.hbase.master.region.MasterRegion;
import org.apache.hadoop.hbase.procedure2.ProcedureExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's assignment of regions without a deadlock that keeps a region offline for ever.
 *
 * <p>A truncation of a region that was about to close it when the process was killed goes on, with
 * its lock of the region, only after the recovery of the crashed server has given the region a
 * procedure that assigns it, which waits for the lock. The truncation then puts a procedure that
 * closes the region into its place. HBase's asks the server that is gone to close the region and
 * waits for the recovery, which waits for the one that has lost its place. Here it is told of the
 * crash, as the recovery would have done: it opens the region, whose logs are split by then, and
 * closes it. When the other one runs at last, it gets its place back; without it HBase ignores that
 * the region was opened.
 *
 * <p>Requests for the same region that other clients send between the end of the truncation and
 * that moment, a few milliseconds after the restart, can still wait for ever, as in HBase.
 *
 * <p>Threads: those of HBase's master; every method holds the lock of the region.
 */
final class StandaloneAssignments extends AssignmentManager {
  private static final Logger LOG = LoggerFactory.getLogger(StandaloneAssignments.class);

  private final MasterServices master;

  StandaloneAssignments(MasterServices master, MasterRegion masterRegion) {
    super(master, masterRegion);
    this.master = master;
  }

  @Override
  public TransitRegionStateProcedure createOneUnassignProcedure(
      RegionInfo region, boolean override) {
    RegionStateNode node = getRegionStates().getOrCreateRegionStateNode(region);
    node.lock();
    try {
      TransitRegionStateProcedure replaced = node.getProcedure();
      TransitRegionStateProcedure close = super.createOneUnassignProcedure(region, override);
      ServerName crashed = node.getRegionLocation();
      if (close != null && crashed != null && replaced != null && isOfRecovery(replaced, crashed)) {
        openFirst(node, close, replaced, crashed);
      }
      return close;
    } finally {
      node.unlock();
    }
  }

  private void openFirst(
      RegionStateNode node,
      TransitRegionStateProcedure close,
      TransitRegionStateProcedure replaced,
      ServerName crashed) {
    LOG.info("{} takes the place of {}; it opens the region first", close, replaced);
    try {
      close.serverCrashed(executor().getEnvironment(), node, crashed, true);
    } catch (IOException e) {
      LOG.error(
          "cannot write to hbase:meta that {} crashed with {}; the region stays offline until"
              + " HBCK2 bypasses {}",
          crashed,
          node.getRegionInfo().getRegionNameAsString(),
          close,
          e);
    }
  }

  private boolean isOfRecovery(TransitRegionStateProcedure assign, ServerName crashed) {
    return recovery(assign).filter(of -> of.getServerName().equals(crashed)).isPresent();
  }

  private Optional<ServerCrashProcedure> recovery(TransitRegionStateProcedure assign) {
    if (!assign.hasParent()) {
      return Optional.empty();
    }
    return Optional.ofNullable(
        executor().getProcedure(ServerCrashProcedure.class, assign.getParentProcId()));
  }

  @Override
  protected void queueAssign(RegionStateNode node) {
    // The truncation has left the region open; one that was split or closed since stays as it is.
    if (node.getProcedure() == null
        && node.isInState(State.OPEN)
        && master.getTableStateManager().isTableState(node.getTable(), TableState.State.ENABLED)) {
      executor().getActiveProceduresNoCopy().stream()
          .filter(TransitRegionStateProcedure.class::isInstance)
          .map(TransitRegionStateProcedure.class::cast)
          .filter(assign -> assign.getRegion().equals(node.getRegionInfo()))
          .filter(assign -> !assign.isFinished() && recovery(assign).isPresent())
          .findFirst()
          .ifPresent(node::setProcedure);
    }
    super.queueAssign(node);
  }

  private ProcedureExecutor<MasterProcedureEnv> executor() {
    return master.getMasterProcedureExecutor();
  }
}
