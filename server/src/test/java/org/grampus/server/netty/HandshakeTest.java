package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.BadAuthException;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.ipc.SecurityNotEnabledException;
import org.apache.hadoop.hbase.ipc.WrongVersionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetConnectionRegistryResponse;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens on a connection before and around its first call. */
class HandshakeTest {
  private static final int MAX_REQUEST_BYTES = 100_000;

  private String clusterId = "id";
  private Dispatcher dispatcher;
  private EmbeddedChannel channel;

  /** Answers every call with its own request header's message. */
  private static final class EchoService extends OneMethodService {
    EchoService() {
      super("Echo", UserInformation.getDefaultInstance());
    }

    @Override
    public RpcMethod method(String method) {
      return method.equals("Echo") ? this : null;
    }

    @Override
    public boolean run(Call call, boolean mayBlock) {
      call.reply(call.param());
      return true;
    }
  }

  @BeforeEach
  void open() {
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.ipc.max.request.size", MAX_REQUEST_BYTES);
    RpcServerConfig config = RpcServerConfig.from(conf);
    ServiceRegistry services = new ServiceRegistry().add(new EchoService());
    dispatcher = new Dispatcher(config);
    channel = new EmbeddedChannel();
    NettyTransport.initialize(
        channel,
        new MemoryPeers(10).enter(null),
        config,
        services,
        () -> clusterId,
        dispatcher,
        new LoopChecks());
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    assertEquals(0, dispatcher.bytesInFlight());
  }

  private void send(ByteBuf bytes) {
    channel.writeInbound(bytes);
    channel.runPendingTasks();
  }

  private void send(String text, int... more) {
    ByteBuf bytes = Unpooled.directBuffer();
    bytes.writeCharSequence(text, StandardCharsets.US_ASCII);
    for (int b : more) {
      bytes.writeByte(b);
    }
    send(bytes);
  }

  private static ByteBuf header(String service) {
    byte[] header =
        ConnectionHeader.newBuilder()
            .setUserInfo(UserInformation.newBuilder().setEffectiveUser("joe"))
            .setServiceName(service)
            .build()
            .toByteArray();
    return Unpooled.directBuffer().writeInt(header.length).writeBytes(header);
  }

  private static ByteBuf call(int id, String method, String user) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    RequestHeader.newBuilder()
        .setCallId(id)
        .setMethodName(method)
        .setRequestParam(true)
        .build()
        .writeDelimitedTo(body);
    UserInformation.newBuilder().setEffectiveUser(user).build().writeDelimitedTo(body);
    return Unpooled.directBuffer().writeInt(body.size()).writeBytes(body.toByteArray());
  }

  private ByteArrayInputStream nextFrame() {
    ByteBuf out = channel.readOutbound();
    byte[] bytes = ByteBufUtil.getBytes(out);
    out.release();
    assertEquals(bytes.length - 4, Unpooled.wrappedBuffer(bytes).readInt());
    return new ByteArrayInputStream(bytes, 4, bytes.length - 4);
  }

  private void assertConnectionError(Class<?> type, String textStart) throws IOException {
    ResponseHeader reply = ResponseHeader.parseDelimitedFrom(nextFrame());
    assertEquals(-1, reply.getCallId());
    assertEquals(type.getName(), reply.getException().getExceptionClassName());
    assertTrue(
        reply.getException().getStackTrace().startsWith(textStart),
        reply.getException().getStackTrace());
  }

  private void assertEchoes(int id, String user) throws IOException {
    send(call(id, "Echo", user));
    ByteArrayInputStream frame = nextFrame();
    ResponseHeader reply = ResponseHeader.parseDelimitedFrom(frame);
    assertEquals(id, reply.getCallId());
    assertFalse(reply.hasException());
    assertEquals(user, UserInformation.parseDelimitedFrom(frame).getEffectiveUser());
  }

  @Test
  void callsWorkAfterPreambleAndHeader() throws IOException {
    send("HBas", 0, 80);
    assertNull(channel.readOutbound());
    send(header("Echo"));
    assertNull(channel.readOutbound());
    assertEchoes(0, "anna");
    assertEchoes(1, "bert");
  }

  @Test
  void bytesMayComeOneByOneOrAllAtOnce() throws IOException {
    ByteBuf all = Unpooled.directBuffer();
    all.writeCharSequence("HBas\0P", StandardCharsets.US_ASCII);
    for (ByteBuf part :
        new ByteBuf[] {header("Echo"), call(5, "Echo", "x"), call(6, "Echo", "y")}) {
      all.writeBytes(part);
      part.release();
    }
    while (all.readableBytes() > 40) {
      send(all.readBytes(1));
    }
    send(all);
    for (int id = 5; id <= 6; id++) {
      assertEquals(id, ResponseHeader.parseDelimitedFrom(nextFrame()).getCallId());
    }
    assertTrue(channel.isActive());
  }

  @Test
  void registryQuestionIsAnsweredAndEnds() throws IOException {
    send("Regist");
    ByteArrayInputStream frame = nextFrame();
    assertEquals(-1, ResponseHeader.parseDelimitedFrom(frame).getCallId());
    assertEquals("id", GetConnectionRegistryResponse.parseDelimitedFrom(frame).getClusterId());
    assertFalse(channel.isActive());
  }

  @Test
  void registryQuestionLooksLikeAnOlderServerWhileTheIdIsUnknown() throws IOException {
    clusterId = null;
    send("Regist");
    assertConnectionError(FatalConnectionException.class, "Expected HEADER=HBas but received");
    assertFalse(channel.isActive());
  }

  @Test
  void securityQuestionIsAnsweredAndGoesOn() throws IOException {
    send("Securi");
    assertConnectionError(SecurityNotEnabledException.class, "security is not enabled");
    send("HBas", 0, 80);
    send(header("Echo"));
    assertEchoes(9, "carl");
  }

  @Test
  void wrongPreamblesAreToldWhy() throws IOException {
    send("GET / HTTP/1.1\r\n\r\n");
    assertConnectionError(
        FatalConnectionException.class, "Expected HEADER=HBas but received HEADER=GET ");
    assertFalse(channel.isActive());
  }

  @Test
  void wrongVersionIsToldWhy() throws IOException {
    send("HBas", 1, 80);
    assertConnectionError(WrongVersionException.class, "serverVersion=0, clientVersion=1");
    assertFalse(channel.isActive());
  }

  @Test
  void wrongAuthenticationIsToldWhy() throws IOException {
    send("HBas", 0, 79);
    assertConnectionError(
        BadAuthException.class, "serverVersion=0, clientVersion=0, authMethod=79");
    assertFalse(channel.isActive());
  }

  @Test
  void saslClientIsSentToSimpleAuthentication() throws IOException {
    send("HBas", 0, 81);
    ByteBuf reply = channel.readOutbound();
    assertEquals(0, reply.readInt());
    assertEquals(-88, reply.readInt());
    reply.release();
    send(Unpooled.directBuffer().writeInt(3).writeBytes(new byte[] {1, 2, 3}));
    send(header("Echo"));
    assertEchoes(2, "dora");
  }

  @Test
  void unknownServiceEndsTheConnection() {
    send("HBas", 0, 80);
    send(header("NoService"));
    assertNull(channel.readOutbound());
    assertFalse(channel.isActive());
  }

  @Test
  void unknownMethodIsAnErrorOfItsCall() throws IOException {
    send("HBas", 0, 80);
    send(header("Echo"));
    send(call(3, "Nothing", "x"));
    ResponseHeader reply = ResponseHeader.parseDelimitedFrom(nextFrame());
    assertEquals(3, reply.getCallId());
    assertEquals(
        "org.apache.hadoop.hbase.DoNotRetryIOException",
        reply.getException().getExceptionClassName());
    assertTrue(reply.getException().getDoNotRetry());
    assertTrue(reply.getException().getStackTrace().contains("UnsupportedOperationException"));
    assertEchoes(4, "emil");
  }

  @Test
  void oversizedRequestIsRefusedByItsCallId() throws IOException {
    send("HBas", 0, 80);
    send(header("Echo"));
    ByteBuf frame = call(8, "Echo", "x".repeat(MAX_REQUEST_BYTES));
    int half = frame.readableBytes() / 2;
    send(frame.readRetainedSlice(half));
    send(frame);
    ResponseHeader reply = ResponseHeader.parseDelimitedFrom(nextFrame());
    assertEquals(8, reply.getCallId());
    assertEquals(
        "org.apache.hadoop.hbase.DoNotRetryIOException",
        reply.getException().getExceptionClassName());
    assertFalse(channel.isActive());
  }

  @Test
  void oversizedHeaderEndsTheConnection() {
    send("HBas", 0, 80);
    send(Unpooled.directBuffer().writeInt(Integer.MAX_VALUE).writeZero(70_000));
    assertNull(channel.readOutbound());
    assertFalse(channel.isActive());
  }

  @Test
  void unreadableHeaderEndsTheConnection() {
    send("HBas", 0, 80);
    send(header("Echo"));
    send(Unpooled.directBuffer().writeInt(3).writeBytes(new byte[] {2, -1, -1}));
    assertNull(channel.readOutbound());
    assertFalse(channel.isActive());
  }
}
