package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryPool;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.RpcService;
import org.grampus.server.rpc.ServiceRegistry;
import org.grampus.server.testkit.PooledMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Connections of several peers to a server with little memory; all of it must come back. */
abstract class HostileTest {
  static final int MB = 1 << 20;
  static final int DIRECT_BYTES = 64 * MB;
  static final int FRAME_TIMEOUT_MILLIS = 30_000;
  static final int REPLY_TIMEOUT_MILLIS = 10_000;

  final MultiService service = new MultiService();
  final MemoryPeers peers = new MemoryPeers(1000);
  final MemoryPeer mallory = peers.enter(InetAddress.getLoopbackAddress());
  final MemoryPeer good = peers.enter(null);
  RpcServerConfig config;
  Dispatcher dispatcher;
  MemoryAccount account;
  private long buffersBefore;

  /** Answers Multi with nothing, and Big with as many bytes of cells as it is asked for. */
  static final class MultiService extends OneMethodService {
    int calls;
    int replyBytes;

    MultiService() {
      super("ClientService", MultiRequest.getDefaultInstance());
    }

    @Override
    public boolean run(Call call, boolean mayBlock) throws IOException {
      calls++;
      ByteBuf cells = null;
      if (replyBytes > 0) {
        call.memory().require(MemoryUse.REPLIES, replyBytes, "a row");
        cells = call.connection().allocator().directBuffer(replyBytes).writeZero(replyBytes);
      }
      call.reply(MultiResponse.getDefaultInstance(), cells);
      return true;
    }
  }

  @BeforeEach
  void open() {
    buffersBefore = PooledMemory.buffersInUse();
    Configuration conf = new Configuration(false);
    conf.setLong("grampus.memory.direct.bytes", DIRECT_BYTES);
    conf.setInt("grampus.rpc.frame.timeout.ms", FRAME_TIMEOUT_MILLIS);
    conf.setInt("grampus.rpc.reply.timeout.ms", REPLY_TIMEOUT_MILLIS);
    config = RpcServerConfig.from(conf);
    dispatcher = new Dispatcher(config);
    dispatcher.start();
    account = dispatcher.account();
  }

  @AfterEach
  void nothingIsLeft() {
    dispatcher.close();
    assertEquals(0, dispatcher.bytesInFlight());
    for (MemoryUse use : MemoryUse.values()) {
      assertEquals(0, account.used(use), use.name());
    }
    for (MemoryPool.Kind kind : MemoryPool.Kind.values()) {
      assertEquals(0, account.pool(kind).used(), kind.name());
    }
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  final EmbeddedChannel connect(MemoryPeer peer, String compressor) {
    return connect(new EmbeddedChannel(), peer, compressor);
  }

  final EmbeddedChannel connect(EmbeddedChannel channel, MemoryPeer peer, String compressor) {
    return connect(channel, peer, compressor, service);
  }

  final EmbeddedChannel connect(
      EmbeddedChannel channel, MemoryPeer peer, String compressor, RpcService to) {
    ServiceRegistry services = new ServiceRegistry().add(to);
    NettyTransport.initialize(
        channel, peer, config, services, () -> "id", dispatcher, new LoopChecks());
    ConnectionHeader.Builder header =
        ConnectionHeader.newBuilder()
            .setServiceName("ClientService")
            .setCellBlockCodecClass(KeyValueCodec.class.getName());
    if (compressor != null) {
      header.setCellBlockCompressorClass(compressor);
    }
    byte[] bytes = header.build().toByteArray();
    ByteBuf hello = Unpooled.directBuffer();
    hello.writeCharSequence("HBas\0P", StandardCharsets.US_ASCII);
    send(channel, hello.writeInt(bytes.length).writeBytes(bytes));
    return channel;
  }

  static void send(EmbeddedChannel channel, ByteBuf bytes) {
    channel.writeInbound(bytes);
    channel.runPendingTasks();
  }

  static byte[] frame(Message param, byte[] cells) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    RequestHeader.Builder header =
        RequestHeader.newBuilder().setCallId(7).setMethodName("Multi").setRequestParam(true);
    if (cells.length > 0) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cells.length));
    }
    header.build().writeDelimitedTo(body);
    param.writeDelimitedTo(body);
    body.write(cells);
    return body.toByteArray();
  }

  static ByteBuf withLength(byte[] frame) {
    return Unpooled.directBuffer(4 + frame.length).writeInt(frame.length).writeBytes(frame);
  }

  static Message emptyActions(int count) {
    RegionAction.Builder region =
        RegionAction.newBuilder()
            .setRegion(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                    .setValue(ByteString.copyFromUtf8("t")));
    for (int i = 0; i < count; i++) {
      region.addAction(Action.getDefaultInstance());
    }
    return MultiRequest.newBuilder().addRegionAction(region).build();
  }

  /** The next reply, which a pool may still be working on. */
  static ResponseHeader reply(EmbeddedChannel channel) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    ByteBuf out = channel.readOutbound();
    while (out == null && System.nanoTime() - end < 0) {
      channel.runPendingTasks();
      out = channel.readOutbound();
    }
    assertNotNull(out, "no reply");
    byte[] bytes = ByteBufUtil.getBytes(out);
    out.release();
    return ResponseHeader.parseDelimitedFrom(new ByteArrayInputStream(bytes, 4, bytes.length - 4));
  }

  static void close(EmbeddedChannel... channels) {
    for (EmbeddedChannel channel : channels) {
      channel.finishAndReleaseAll();
    }
  }

  /** A second passes for the channel's timers, and for the decoder's clock. */
  static void advance(EmbeddedChannel channel) {
    if (channel.isActive()) {
      channel.pipeline().get(FrameDecoder.class).passed(TimeUnit.SECONDS.toNanos(1));
    }
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  /**
   * The connection is there two seconds before a time has passed, and gone two seconds after it.
   */
  static void assertEndsAfter(int millis, EmbeddedChannel channel) {
    for (int second = 0; second < millis / 1000 - 2; second++) {
      advance(channel);
    }
    assertTrue(channel.isActive());
    for (int second = 0; second < 4; second++) {
      advance(channel);
    }
    assertFalse(channel.isActive());
  }
}
