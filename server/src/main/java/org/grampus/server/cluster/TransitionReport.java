package org.grampus.server.cluster;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStatusService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * One report of a transition, which may be repeated. For one thread.
 *
 * <p>An HMaster that stops in order forgets its servers while it still answers calls (HBase's
 * {@code AssignmentManager.stop}), so its word that it does not know this server says nothing about
 * the region. The report is held back then and repeated, to the next active master once there is
 * one. A master that keeps to it is believed: it has recovered this server's regions.
 */
final class TransitionReport implements MasterLink.Call<ReportRegionStateTransitionResponse> {
  /** For how long a master may say that it does not know this server before it is believed. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How that answer begins, in HBase's {@code AssignmentManager}. It has no code of its own. */
  private static final String UNKNOWN = "No server node for";

  private final ReportRegionStateTransitionRequest request;
  private final LongSupplier nanos;
  private long doubtedUntil;
  private boolean doubted;

  /**
   * A report that has not been sent.
   *
   * @param nanos the time, as {@link System#nanoTime} gives it
   */
  TransitionReport(ReportRegionStateTransitionRequest request, LongSupplier nanos) {
    this.request = request;
    this.nanos = nanos;
  }

  /**
   * Sends the report.
   *
   * @throws ServiceException also with a {@link PleaseHoldException}, when the master does not know
   *     this server and is not believed yet
   */
  @Override
  public ReportRegionStateTransitionResponse make(
      RegionServerStatusService.BlockingInterface master) throws ServiceException {
    ReportRegionStateTransitionResponse answer;
    try {
      answer = master.reportRegionStateTransition(null, request);
    } catch (ServiceException e) {
      doubted = false; // whatever answers next is another master, or the same after its start
      throw e;
    }
    if (answer.getErrorMessage().startsWith(UNKNOWN) && isDoubted()) {
      throw new ServiceException(
          new PleaseHoldException(
              "the master, which may be about to stop, answers: " + answer.getErrorMessage()));
    }
    return answer;
  }

  private boolean isDoubted() {
    if (!doubted) {
      doubted = true;
      doubtedUntil = nanos.getAsLong() + PATIENCE.toNanos();
    }
    return nanos.getAsLong() - doubtedUntil < 0;
  }
}
