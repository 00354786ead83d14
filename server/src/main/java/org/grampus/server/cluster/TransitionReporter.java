package org.grampus.server.cluster;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RemoteProcedureResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.apache.hadoop.hbase.util.ForeignExceptionUtil;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports of finished work to the master. A report is repeated until answered; after the answer it
 * is durable at the master.
 */
public final class TransitionReporter {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionReporter.class);
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
    String what = "report " + code + " " + region.getEncodedName();
    ReportRegionStateTransitionResponse answer =
        master.callUntilAnswered(what, new TransitionReport(request(transition), Env::nanos));
    if (answer.hasErrorMessage()) {
      LOG.error("{}: the master refuses it: {}", what, answer.getErrorMessage());
    }
    return !answer.hasErrorMessage();
  }

  /**
   * Asks the master once to split a region at a row; the master orders the closes and opens that
   * follow.
   *
   * @throws IOException when the master cannot be reached or refuses, for one because splits are
   *     switched off
   */
  public void readyToSplit(RegionInfo region, byte[] row) throws IOException {
    RegionInfoBuilder daughter = RegionInfoBuilder.newBuilder(region.getTable());
    RegionInfo lower = daughter.setStartKey(region.getStartKey()).setEndKey(row).build();
    RegionInfo upper = daughter.setStartKey(row).setEndKey(region.getEndKey()).build();
    RegionStateTransition.Builder transition =
        RegionStateTransition.newBuilder().setTransitionCode(TransitionCode.READY_TO_SPLIT);
    for (RegionInfo info : List.of(region, lower, upper)) {
      transition.addRegionInfo(ProtobufUtil.toRegionInfo(info));
    }
    ReportRegionStateTransitionRequest request = request(transition);
    ReportRegionStateTransitionResponse answer =
        master.call(stub -> stub.reportRegionStateTransition(null, request));
    if (answer.hasErrorMessage()) {
      throw new IOException(answer.getErrorMessage());
    }
  }

  private ReportRegionStateTransitionRequest request(RegionStateTransition.Builder transition) {
    return ReportRegionStateTransitionRequest.newBuilder()
        .setServer(ProtobufUtil.toServerName(server))
        .addTransition(transition)
        .build();
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
