package org.grampus.server.cluster;

import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RemoteProcedureResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.util.ForeignExceptionUtil;

/**
 * Reports of finished work to the master. A report is repeated until answered; after the answer it
 * is durable at the master.
 */
public final class TransitionReporter {
  private static final long NO_SEQUENCE = -1;

  private final MasterLink master;
  private final ServerName server;

  /** Reports as a server. */
  public TransitionReporter(MasterLink master, ServerName server) {
    this.master = master;
    this.server = server;
  }

  /**
   * What a procedure of the master is called in its reports: echoed, so that the master can tell
   * stale reports.
   */
  public record Origin(long procedureId, long masterActiveTime) {}

  /** Reports an open region; false when the master refuses, which no server may survive. */
  public boolean opened(RegionInfo region, long openSequence, Origin origin)
      throws InterruptedException {
    return report(TransitionCode.OPENED, region, openSequence, origin);
  }

  /** Reports that a region could not be opened; the master looks for another server. */
  public boolean failedOpen(RegionInfo region, Origin origin) throws InterruptedException {
    return report(TransitionCode.FAILED_OPEN, region, NO_SEQUENCE, origin);
  }

  /** Reports a closed region; false when the master refuses. */
  public boolean closed(RegionInfo region, Origin origin) throws InterruptedException {
    return report(TransitionCode.CLOSED, region, NO_SEQUENCE, origin);
  }

  private boolean report(TransitionCode code, RegionInfo region, long openSequence, Origin origin)
      throws InterruptedException {
    RegionStateTransition.Builder transition =
        RegionStateTransition.newBuilder()
            .setTransitionCode(code)
            .addRegionInfo(ProtobufUtil.toRegionInfo(region))
            .addProcId(origin.procedureId())
            .setInitiatingMasterActiveTime(origin.masterActiveTime());
    if (openSequence != NO_SEQUENCE) {
      transition.setOpenSeqNum(openSequence);
    }
    ReportRegionStateTransitionRequest request =
        ReportRegionStateTransitionRequest.newBuilder()
            .setServer(ProtobufUtil.toServerName(server))
            .addTransition(transition)
            .build();
    String what = "report " + code + " " + region.getEncodedName();
    return !master
        .callUntilAnswered(what, stub -> stub.reportRegionStateTransition(null, request))
        .hasErrorMessage();
  }

  /** Reports a remote procedure as done, with its failure or null. */
  public void procedureDone(Origin origin, Throwable failure) throws InterruptedException {
    RemoteProcedureResult.Builder result =
        RemoteProcedureResult.newBuilder()
            .setProcId(origin.procedureId())
            .setInitiatingMasterActiveTime(origin.masterActiveTime());
    if (failure == null) {
      result.setStatus(RemoteProcedureResult.Status.SUCCESS);
    } else {
      result
          .setStatus(RemoteProcedureResult.Status.ERROR)
          .setError(ForeignExceptionUtil.toProtoForeignException(server.toString(), failure));
    }
    ReportProcedureDoneRequest request =
        ReportProcedureDoneRequest.newBuilder().addResult(result).build();
    master.callUntilAnswered(
        "report procedure " + origin.procedureId(),
        stub -> stub.reportProcedureDone(null, request));
  }
}
