package org.grampus.server.master;

import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.client.NonceGenerator;
import org.apache.hadoop.hbase.client.PerClientRandomNonceGenerator;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterRpcServices;
import org.apache.hadoop.hbase.master.procedure.MasterProcedureEnv;
import org.apache.hadoop.hbase.master.procedure.SnapshotProcedure;
import org.apache.hadoop.hbase.procedure2.Procedure;
import org.apache.hadoop.hbase.procedure2.ProcedureExecutor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotDoneResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * The services of HBase's master, where a snapshot is a procedure for every client.
 *
 * <p>A client before 2.6 sends no nonce with its request, and asks whether its snapshot is done by
 * the snapshot's name. HBase gives it an EnabledTableSnapshotHandler, which fails beside a region
 * that moves or is split or merged, and holds the snapshot manager's lock for up to a minute while
 * it waits for a merge that waits for the same lock. Here its request gets a nonce and so a
 * SnapshotProcedure, which waits for such regions.
 *
 * <p>Threads: the master's handlers; no state of its own.
 */
final class StandaloneRpcServices extends MasterRpcServices {
  private final HMaster master;
  private final NonceGenerator nonces = PerClientRandomNonceGenerator.get();

  StandaloneRpcServices(HMaster master) throws IOException {
    super(master);
    this.master = master;
  }

  @Override
  public SnapshotResponse snapshot(RpcController controller, SnapshotRequest request)
      throws ServiceException {
    if (request.hasNonceGroup() && request.hasNonce()) {
      return super.snapshot(controller, request);
    }
    SnapshotRequest.Builder withNonce =
        request.toBuilder().setNonceGroup(nonces.getNonceGroup()).setNonce(nonces.newNonce());
    return super.snapshot(controller, withNonce.build());
  }

  @Override
  public IsSnapshotDoneResponse isSnapshotDone(
      RpcController controller, IsSnapshotDoneRequest request) throws ServiceException {
    Optional<SnapshotProcedure> procedure = procedure(request.getSnapshot().getName());
    if (procedure.isEmpty()) {
      return super.isSnapshotDone(controller, request);
    }
    if (procedure.get().isFailed()) {
      throw new ServiceException(procedure.get().getException().unwrapRemoteIOException());
    }
    return IsSnapshotDoneResponse.newBuilder().setDone(procedure.get().isFinished()).build();
  }

  /** The latest procedure of a snapshot; none once it has ended long ago. */
  private Optional<SnapshotProcedure> procedure(String snapshot) {
    ProcedureExecutor<MasterProcedureEnv> executor = master.getMasterProcedureExecutor();
    if (executor == null) {
      return Optional.empty(); // while the master starts, which HBase's answer says
    }
    return executor.getProcedures().stream()
        .filter(SnapshotProcedure.class::isInstance)
        .map(SnapshotProcedure.class::cast)
        .filter(procedure -> procedure.getSnapshotDesc().getName().equals(snapshot))
        .max(Comparator.comparingLong(Procedure::getProcId));
  }
}
