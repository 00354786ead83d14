package org.grampus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStatusService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransitionReportTest {
  private static final ServerName SELF = ServerName.valueOf("host", 1, 2);
  private static final String FORGOTTEN = "No server node for " + SELF;

  private final RegionServerStatusService.BlockingInterface master =
      (RegionServerStatusService.BlockingInterface)
          Proxy.newProxyInstance(
              TransitionReportTest.class.getClassLoader(),
              new Class<?>[] {RegionServerStatusService.BlockingInterface.class},
              (proxy, method, arguments) -> {
                assertEquals("reportRegionStateTransition", method.getName());
                return answer();
              });
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private TransitionReport report;

  /** What the master says, or null where the call fails. */
  private String error;

  @BeforeEach
  void make() {
    report =
        new TransitionReport(
            ReportRegionStateTransitionRequest.newBuilder()
                .setServer(ProtobufUtil.toServerName(SELF))
                .build(),
            now::get);
  }

  @Test
  void aMasterThatForgetsItsServersIsNotBelieved() throws ServiceException {
    error = FORGOTTEN;
    ServiceException held = assertThrows(ServiceException.class, () -> report.make(master));
    assertInstanceOf(PleaseHoldException.class, ProtobufUtil.getRemoteException(held));
    error = "";
    assertFalse(report.make(master).hasErrorMessage());
  }

  @Test
  void aMasterThatKeepsToItIsBelieved() throws ServiceException {
    error = FORGOTTEN;
    assertThrows(ServiceException.class, () -> report.make(master));
    now.addAndGet(TransitionReport.PATIENCE.toNanos() - 1);
    assertThrows(ServiceException.class, () -> report.make(master));
    now.incrementAndGet();
    assertEquals(FORGOTTEN, report.make(master).getErrorMessage());
  }

  @Test
  void theNextMasterIsDoubtedAnew() throws ServiceException {
    error = FORGOTTEN;
    assertThrows(ServiceException.class, () -> report.make(master));
    error = null;
    assertThrows(ServiceException.class, () -> report.make(master));
    now.addAndGet(2 * TransitionReport.PATIENCE.toNanos());
    error = FORGOTTEN;
    assertThrows(ServiceException.class, () -> report.make(master));
  }

  @Test
  void anotherRefusalIsBelievedAtOnce() throws ServiceException {
    error = "You are dead";
    assertEquals("You are dead", report.make(master).getErrorMessage());
  }

  private ReportRegionStateTransitionResponse answer() throws ServiceException {
    if (error == null) {
      throw new ServiceException("the master is gone");
    }
    ReportRegionStateTransitionResponse.Builder answer =
        ReportRegionStateTransitionResponse.newBuilder();
    if (!error.isEmpty()) {
      answer.setErrorMessage(error);
    }
    return answer.build();
  }
}
