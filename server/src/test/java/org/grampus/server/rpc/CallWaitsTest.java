package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.netty.RpcServer;
import org.junit.jupiter.api.Test;

/** What a call has waited: for its first run, and between runs, but not while it runs. */
class CallWaitsTest {
  private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

  /** Asks for a delay, then to run where it may block, then replies. */
  private static final class Reluctant implements RpcMethod, RpcService {
    private final List<Boolean> runs = new ArrayList<>();

    @Override
    public String name() {
      return "ClientMetaService";
    }

    @Override
    public RpcMethod method(String methodName) {
      return this;
    }

    @Override
    public Message prototype() {
      return GetClusterIdRequest.getDefaultInstance();
    }

    @Override
    public Handlers handlers(Call call) {
      return Handlers.EVENT_LOOP;
    }

    @Override
    public synchronized boolean run(Call call, boolean mayBlock) {
      runs.add(mayBlock);
      if (runs.size() == 1) {
        call.delay(DELAY_NANOS);
        return false;
      }
      if (!mayBlock) {
        return false;
      }
      call.reply(GetClusterIdResponse.newBuilder().setClusterId("id").build());
      return true;
    }
  }

  private record Seen(long waited, long total, long replyBytes) {}

  @Test
  void aDelayIsAWaitAndNotWork() throws Exception {
    BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    CallObserver observer =
        new CallObserver() {
          @Override
          public void finished(Call call, Throwable error) {
            seen.add(
                new Seen(
                    call.waitedNanos(),
                    call.endedNanos() - call.receivedNanos(),
                    call.replyBytes()));
          }
        };
    Configuration conf = new Configuration(false);
    conf.set("hbase.defaults.for.version.skip", "true");
    conf.setInt("hbase.regionserver.port", 0);
    Reluctant method = new Reluctant();
    ServiceRegistry services = new ServiceRegistry().add(method);
    try (RpcServer server =
            new RpcServer(RpcServerConfig.from(conf), services, () -> "id", List.of(observer));
        RpcClient client = RpcClientFactory.createClient(conf, HConstants.CLUSTER_ID_DEFAULT)) {
      server.start();
      var stub =
          ClientMetaService.newBlockingStub(
              client.createBlockingRpcChannel(
                  ServerName.valueOf("127.0.0.1", server.port(), 1), User.getCurrent(), 20_000));
      assertEquals(
          "id", stub.getClusterId(null, GetClusterIdRequest.getDefaultInstance()).getClusterId());
    }
    assertEquals(List.of(false, false, true), method.runs);
    assertEquals(1, seen.size());
    Seen call = seen.take();
    assertTrue(call.waited >= DELAY_NANOS, call.toString());
    assertTrue(call.total - call.waited >= 0, call.toString());
    assertTrue(call.replyBytes > 4, call.toString());
  }
}
