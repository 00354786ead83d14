package org.grampus.server.master;

import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.NonceGenerator;
import org.apache.hadoop.hbase.client.PerClientRandomNonceGenerator;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterRpcServices;
import org.apache.hadoop.hbase.master.procedure.SnapshotProcedure;
import org.apache.hadoop.hbase.procedure2.Procedure;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotDoneResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.HBaseSnapshotException;
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

  /**
   * Whether a snapshot is there, by its name. While its procedure runs or takes back what it did,
   * it is not.
   *
   * @throws ServiceException of a HBaseSnapshotException, or of another error after which clients
   *     do not ask again, when the procedure has failed
   */
  @Override
  public IsSnapshotDoneResponse isSnapshotDone(
      RpcController controller, IsSnapshotDoneRequest request) throws ServiceException {
    Optional<SnapshotProcedure> procedure = procedure(request.getSnapshot().getName());
    if (procedure.isPresent()) {
      if (!master.getMasterProcedureExecutor().isFinished(procedure.get().getProcId())) {
        return IsSnapshotDoneResponse.newBuilder().setDone(false).build();
      }
      if (procedure.get().isFailed()) {
        throw new ServiceException(failure(procedure.get()));
      }
    }
    return super.isSnapshotDone(controller, request); // looks for its files
  }

  /**
   * The latest procedure of a snapshot; none before all are known, or once it has ended long ago.
   */
  private Optional<SnapshotProcedure> procedure(String snapshot) {
    if (!master.isInitialized() || !master.getSnapshotManager().snapshotProcedureEnabled()) {
      return Optional.empty();
    }
    return master.getMasterProcedureExecutor().getProcedures().stream()
        .filter(SnapshotProcedure.class::isInstance)
        .map(SnapshotProcedure.class::cast)
        .filter(procedure -> procedure.getSnapshotDesc().getName().equals(snapshot))
        .max(Comparator.comparingLong(Procedure::getProcId));
  }

  private static IOException failure(SnapshotProcedure procedure) {
    IOException cause = procedure.getException().unwrapRemoteIOException();
    if (cause instanceof DoNotRetryIOException) {
      return cause;
    }
    SnapshotDescription snapshot = procedure.getSnapshotDesc();
    return new HBaseSnapshotException(
        "Snapshot " + snapshot.getName() + " had an error: " + cause,
        cause,
        ProtobufUtil.createSnapshotDesc(snapshot));
  }
}
