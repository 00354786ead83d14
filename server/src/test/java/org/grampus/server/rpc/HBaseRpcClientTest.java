package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.HBaseServerException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMastersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMastersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.testkit.PooledMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stock HBase RPC client against the server, with a fake service behind the blocking adapter. */
@SuppressWarnings("deprecation") // GetMasters is part of the interface
class HBaseRpcClientTest {
  private final AtomicInteger ran = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private long buffersBefore;
  private RpcServer server;
  private RpcClient client;
  private ClientMetaService.BlockingInterface stub;
  private volatile Exception failure;

  /** Fails as the test wants, or waits. */
  private final class FakeService implements ClientMetaService.BlockingInterface {
    @Override
    public GetClusterIdResponse getClusterId(RpcController controller, GetClusterIdRequest request)
        throws ServiceException {
      ran.incrementAndGet();
      if (failure instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      if (failure != null) {
        throw new ServiceException(failure);
      }
      return GetClusterIdResponse.newBuilder().setClusterId("it works").build();
    }

    @Override
    public GetActiveMasterResponse getActiveMaster(
        RpcController controller, GetActiveMasterRequest request) throws ServiceException {
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new ServiceException(e);
      }
      return GetActiveMasterResponse.getDefaultInstance();
    }

    @Override
    public GetMastersResponse getMasters(RpcController controller, GetMastersRequest request) {
      return GetMastersResponse.getDefaultInstance();
    }

    @Override
    public GetMetaRegionLocationsResponse getMetaRegionLocations(
        RpcController controller, GetMetaRegionLocationsRequest request) {
      return GetMetaRegionLocationsResponse.getDefaultInstance();
    }

    @Override
    public GetBootstrapNodesResponse getBootstrapNodes(
        RpcController controller, GetBootstrapNodesRequest request) {
      return GetBootstrapNodesResponse.getDefaultInstance();
    }
  }

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    Configuration conf = new Configuration(false);
    conf.set("hbase.defaults.for.version.skip", "true");
    conf.setInt("hbase.regionserver.port", 0);
    conf.setInt("hbase.regionserver.metahandler.count", 1);
    conf.setInt("hbase.ipc.server.priority.max.callqueue.length", 1);
    ServiceRegistry services =
        new ServiceRegistry()
            .add(
                new BlockingServiceAdapter(
                    ClientMetaService.newReflectiveBlockingService(new FakeService())));
    server = new RpcServer(RpcServerConfig.from(conf), services, () -> "id");
    server.start();
    client = RpcClientFactory.createClient(conf, HConstants.CLUSTER_ID_DEFAULT);
    stub =
        ClientMetaService.newBlockingStub(
            client.createBlockingRpcChannel(
                ServerName.valueOf("127.0.0.1", server.port(), 1), User.getCurrent(), 20_000));
  }

  @AfterEach
  void stop() {
    release.countDown();
    client.close();
    server.close();
    assertEquals(0, server.dispatcher().bytesInFlight());
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private String call() throws ServiceException {
    return stub.getClusterId(null, GetClusterIdRequest.getDefaultInstance()).getClusterId();
  }

  private IOException callError(Exception thrown) {
    failure = thrown;
    return ProtobufUtil.handleRemoteException(assertThrows(ServiceException.class, this::call));
  }

  @Test
  void callsAreAnswered() throws ServiceException {
    for (int i = 0; i < 100; i++) {
      assertEquals("it works", call());
    }
  }

  @Test
  void errorsArriveAsTheirClass() {
    IOException moved =
        callError(new RegionMovedException(ServerName.valueOf("elsewhere", 4711, 5), 99));
    RegionMovedException there = assertInstanceOf(RegionMovedException.class, moved);
    assertEquals("elsewhere", there.getHostname());
    assertEquals(4711, there.getPort());
    assertEquals(99, there.getLocationSeqNum());
    assertInstanceOf(
        org.apache.hadoop.hbase.RegionTooBusyException.class,
        callError(new EngineException(ErrorKind.BUSY, "later")));
    IOException plain = callError(new IllegalStateException("odd"));
    assertEquals(IOException.class, plain.getClass());
    assertTrue(plain.getMessage().contains("java.lang.IllegalStateException: odd"));
  }

  @Test
  void fullQueueIsRefusedAndSaysOverloaded() throws Exception {
    Thread[] waiting = new Thread[2];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] =
          new Thread(
              () -> {
                try {
                  stub.getActiveMaster(null, GetActiveMasterRequest.getDefaultInstance());
                } catch (ServiceException e) {
                  failure = e;
                }
              });
      waiting[i].start();
      while (server.dispatcher().activeHandlers() == 0
          || server.dispatcher().queuedPriorityCalls() < i) {
        Thread.onSpinWait();
      }
    }
    ServiceException refused = assertThrows(ServiceException.class, this::call);
    IOException error = ProtobufUtil.handleRemoteException(refused);
    assertInstanceOf(CallQueueTooBigException.class, error);
    assertTrue(HBaseServerException.isServerOverloaded(error));
    release.countDown();
    for (Thread thread : waiting) {
      thread.join();
    }
    assertEquals(null, failure);
    assertEquals("it works", call());
  }

  @Test
  void callPastItsDeadlineIsDroppedUnrun() throws Exception {
    Thread waiting =
        new Thread(
            () -> {
              try {
                stub.getActiveMaster(null, GetActiveMasterRequest.getDefaultInstance());
              } catch (ServiceException e) {
                failure = e;
              }
            });
    waiting.start();
    while (server.dispatcher().activeHandlers() == 0) {
      Thread.onSpinWait();
    }
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    controller.setCallTimeout(50);
    assertThrows(
        ServiceException.class,
        () -> stub.getClusterId(controller, GetClusterIdRequest.getDefaultInstance()));
    release.countDown();
    waiting.join();
    while (server.dispatcher().queuedPriorityCalls() > 0) {
      Thread.onSpinWait(); // the queue has room for one call, and the late one may still be there
    }
    assertEquals("it works", call());
    assertEquals(1, ran.get(), "only the last call ran");
  }
}
