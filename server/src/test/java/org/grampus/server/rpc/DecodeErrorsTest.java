package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.testkit.CapturedLog;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Errors of the JVM while a call is read or put on its way are that call's, and are logged. */
class DecodeErrorsTest {
  private static final int LARGE_BYTES = 300_000;

  private long buffersBefore;
  private RpcServer server;

  /** Where a call meets an error, by the method that it names. */
  private static final class BrokenService implements RpcService {
    @Override
    public String name() {
      return "ClientService";
    }

    @Override
    public RpcMethod method(String name) {
      return switch (name) {
        case "Overflow" -> throw new StackOverflowError("too deep");
        case "Missing" -> throw new NoClassDefFoundError("Gone");
        default -> new EmptyMethod(name);
      };
    }
  }

  private record EmptyMethod(String name) implements RpcMethod {
    @Override
    public Message prototype() {
      return MultiRequest.getDefaultInstance();
    }

    @Override
    public Handlers handlers(Call call) {
      if (name.equals("TooDeep")) {
        throw new StackOverflowError("too deep");
      }
      return Handlers.EVENT_LOOP;
    }

    @Override
    public boolean run(Call call, boolean mayBlock) {
      call.reply(MultiResponse.getDefaultInstance());
      return true;
    }
  }

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.regionserver.port", 0);
    ServiceRegistry services = new ServiceRegistry().add(new BrokenService());
    server = new RpcServer(RpcServerConfig.from(conf), services, () -> "id");
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
    assertEquals(0, server.dispatcher().bytesInFlight());
    for (MemoryUse use : MemoryUse.values()) {
      assertEquals(0, server.dispatcher().account().used(use), use.name());
    }
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  /** A request whose message has at least {@code bytes} bytes. */
  private static MultiRequest request(int bytes) {
    RegionSpecifier region =
        RegionSpecifier.newBuilder()
            .setType(RegionSpecifierType.REGION_NAME)
            .setValue(ByteString.copyFrom(new byte[bytes]))
            .build();
    return MultiRequest.newBuilder()
        .addRegionAction(RegionAction.newBuilder().setRegion(region))
        .build();
  }

  private static RawClient.Reply<MultiResponse> call(RawClient client, String method, int bytes)
      throws IOException {
    return client.call(method, request(bytes), new byte[0], MultiResponse.getDefaultInstance());
  }

  private static void assertFails(RawClient client, String method, Class<?> error)
      throws IOException {
    for (int bytes : List.of(10, LARGE_BYTES)) { // on the event loop, on a pool
      RawClient.Reply<MultiResponse> reply = call(client, method, bytes);
      assertTrue(reply.header().hasException(), method);
      assertEquals(error.getName(), reply.header().getException().getExceptionClassName(), method);
      assertFalse(call(client, "Fine", bytes).header().hasException(), "the connection goes on");
    }
  }

  @Test
  void anErrorOfTheJvmFailsItsCallAlone() throws IOException {
    try (CapturedLog log = CapturedLog.of(Dispatcher.class.getPackageName());
        RawClient client = new RawClient(server.port(), "", null)) {
      assertFails(client, "Overflow", IOException.class);
      assertFails(client, "Missing", DoNotRetryIOException.class);
      assertFails(client, "TooDeep", IOException.class);
      for (String method : List.of("Overflow", "Missing", "TooDeep")) {
        assertTrue(
            log.lines().stream().anyMatch(line -> line.contains(method)), log.lines()::toString);
      }
    }
  }
}
