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
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryPool;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;
import org.grampus.server.testkit.PooledMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections that hold the beginning of a frame: none waits for ever, and requests of others are
 * answered meanwhile. Time is moved by the tests.
 */
class FrameBeginningsTest {
  private static final int MB = 1 << 20;
  private static final int DIRECT_BYTES = 64 * MB;
  private static final int TIMEOUT_SECONDS = 30;

  /** The largest frame that this server takes. */
  private static final int MOST_BYTES = DIRECT_BYTES / 2;

  private final MemoryPeers peers = new MemoryPeers(1000);
  private final MemoryPeer good = peers.enter(null);
  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private RpcServerConfig config;
  private Dispatcher dispatcher;
  private MemoryAccount account;
  private long buffersBefore;

  /** Answers every call with nothing. */
  private static final class EmptyService extends OneMethodService {
    EmptyService() {
      super("ClientService", MultiRequest.getDefaultInstance());
    }

    @Override
    public boolean run(Call call, boolean mayBlock) throws IOException {
      call.reply(MultiResponse.getDefaultInstance());
      return true;
    }
  }

  @BeforeEach
  void open() {
    buffersBefore = PooledMemory.buffersInUse();
    open(DIRECT_BYTES);
  }

  private void open(long directBytes) {
    Configuration conf = new Configuration(false);
    conf.setLong("grampus.memory.direct.bytes", directBytes);
    conf.setInt("grampus.rpc.frame.timeout.ms", TIMEOUT_SECONDS * 1000);
    config = RpcServerConfig.from(conf);
    dispatcher = new Dispatcher(config);
    dispatcher.start();
    account = dispatcher.account();
  }

  @AfterEach
  void nothingIsLeft() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    dispatcher.close();
    for (MemoryUse use : MemoryUse.values()) {
      assertEquals(0, account.used(use), use.name());
    }
    for (MemoryPool.Kind kind : MemoryPool.Kind.values()) {
      assertEquals(0, account.pool(kind).used(), kind.name());
    }
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private EmbeddedChannel connect(MemoryPeer peer) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channels.add(channel);
    ServiceRegistry services = new ServiceRegistry().add(new EmptyService());
    NettyTransport.initialize(
        channel, peer, config, services, () -> "id", dispatcher, new LoopChecks());
    byte[] header =
        ConnectionHeader.newBuilder()
            .setServiceName("ClientService")
            .setCellBlockCodecClass(KeyValueCodec.class.getName())
            .build()
            .toByteArray();
    ByteBuf hello = Unpooled.directBuffer();
    hello.writeCharSequence("HBas\0P", StandardCharsets.US_ASCII);
    send(channel, hello.writeInt(header.length).writeBytes(header));
    return channel;
  }

  private static void send(EmbeddedChannel channel, ByteBuf bytes) {
    channel.writeInbound(bytes);
    channel.runPendingTasks();
  }

  /** A connection that has sent {@code bytes} of a frame. */
  private EmbeddedChannel begin(MemoryPeer peer, byte[] frame, int bytes) {
    EmbeddedChannel channel = connect(peer);
    send(channel, Unpooled.directBuffer().writeInt(frame.length).writeBytes(frame, 0, bytes));
    return channel;
  }

  /** A call whose frame has at least {@code bytes} bytes, its length not among them. */
  private static byte[] frame(int bytes) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    RequestHeader.newBuilder()
        .setCallId(7)
        .setMethodName("Multi")
        .setRequestParam(true)
        .setCellBlockMeta(CellBlockMeta.newBuilder().setLength(bytes))
        .build()
        .writeDelimitedTo(body);
    MultiRequest.getDefaultInstance().writeDelimitedTo(body);
    body.write(new byte[bytes]);
    return body.toByteArray();
  }

  private static void assertAnswered(EmbeddedChannel channel) throws IOException {
    ResponseHeader header = reply(channel);
    assertFalse(header.hasException(), () -> header.getException().toString());
  }

  private static ResponseHeader reply(EmbeddedChannel channel) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    ByteBuf out = channel.readOutbound();
    while (out == null && System.nanoTime() - end < 0) {
      channel.runPendingTasks();
      out = channel.readOutbound();
    }
    assertNotNull(out, "no reply");
    byte[] bytes = ByteBufUtil.getBytes(out);
    out.release();
    ByteArrayInputStream reply = new ByteArrayInputStream(bytes, 4, bytes.length - 4);
    return ResponseHeader.parseDelimitedFrom(reply);
  }

  /** A small request, in two pieces so that it is a partial frame for a moment, is answered. */
  private static void assertServed(EmbeddedChannel client) throws IOException {
    byte[] request = frame(100);
    send(client, Unpooled.directBuffer().writeInt(request.length).writeBytes(request, 0, 50));
    send(client, Unpooled.directBuffer().writeBytes(request, 50, request.length - 50));
    assertAnswered(client);
  }

  /** A second passes for all connections. */
  private void advance() {
    for (EmbeddedChannel channel : channels) {
      if (channel.isActive()) {
        channel.pipeline().get(FrameDecoder.class).passed(TimeUnit.SECONDS.toNanos(1));
      }
      channel.advanceTimeBy(1, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
      channel.runPendingTasks();
    }
  }

  private MemoryPeer address(int last) throws UnknownHostException {
    return peers.enter(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last}));
  }

  private void assertWithinTheAccount() {
    assertTrue(account.used(MemoryUse.REQUESTS) <= DIRECT_BYTES, "requests above the limit");
    long beginnings = account.pool(MemoryPool.Kind.BEGINNINGS).limit();
    assertTrue(account.used(MemoryUse.FRAME_BEGINNINGS) <= beginnings, "beginnings above theirs");
  }

  @Test
  void beginningsOfAnySizeEndInBoundedTimeAndOthersAreServed() throws IOException {
    Random random = new Random(7);
    List<EmbeddedChannel> silent = new ArrayList<>();
    byte[] most = frame(MOST_BYTES - 100);
    for (int address = 0; address < 4; address++) {
      MemoryPeer mallory = address(address);
      for (int i = 0; i < 300; i++) {
        int length = 1 + random.nextInt(1 << (10 + random.nextInt(16)));
        ByteBuf begin = Unpooled.directBuffer().writeInt(Math.min(length, most.length));
        EmbeddedChannel channel = connect(mallory);
        send(channel, begin.writeBytes(most, 0, Math.min(length / 2, Rank.SMALL_BYTES)));
        send(channel, Unpooled.directBuffer().writeZero(Math.min(length / 4, 1000)));
        silent.add(channel);
      }
    }
    EmbeddedChannel client = connect(good);
    for (int second = 0; second < 3 * TIMEOUT_SECONDS; second++) {
      assertServed(client);
      assertWithinTheAccount();
      advance();
    }
    assertEquals(0, silent.stream().filter(EmbeddedChannel::isActive).count(), "still connected");
    assertTrue(client.isActive());
  }

  @Test
  void framesThatHaveBegunCompleteHoweverManyTheyAre() throws IOException {
    byte[] large = frame(5 * MB);
    int shown = Rank.SMALL_BYTES;
    List<EmbeddedChannel> senders = new ArrayList<>();
    for (int address = 0; address < 4; address++) {
      MemoryPeer peer = address(address);
      for (int i = 0; i < 150; i++) {
        senders.add(begin(peer, large, shown));
      }
    }
    assertTrue(senders.size() * (long) shown > MOST_BYTES, "no rest would fit beside all of them");
    boolean progress = true;
    while (!senders.isEmpty() && progress) {
      progress = false;
      for (EmbeddedChannel sender : List.copyOf(senders)) {
        sender.runPendingTasks();
        if (sender.config().isAutoRead()) { // its rest is granted
          send(sender, Unpooled.directBuffer().writeBytes(large, shown, large.length - shown));
          assertAnswered(sender);
          senders.remove(sender);
          progress = true;
        }
        assertWithinTheAccount();
      }
    }
    assertEquals(0, senders.size(), "frames wait for each other");
  }

  @Test
  void beginningsOfLargeFramesLeaveRoomForSmallFrames() throws IOException {
    byte[] large = frame(5 * MB);
    for (int address = 0; address < 2; address++) {
      MemoryPeer peer = address(address);
      for (int i = 0; i < 200; i++) {
        begin(peer, large, 100);
      }
    }
    assertTrue(account.isContended(MemoryUse.FRAME_BEGINNINGS));
    byte[] small = frame(20_000);
    EmbeddedChannel client = begin(good, small, 100);
    assertTrue(client.config().isAutoRead());
    send(client, Unpooled.directBuffer().writeBytes(small, 100, small.length - 100));
    assertAnswered(client);
  }

  @Test
  void aFrameWhoseRestIsNotGrantedEndsItsConnection() throws IOException {
    assertTrue(account.tryReserve(MemoryUse.REQUESTS, good, 30L * MB, Rank.LARGE));
    EmbeddedChannel channel = begin(address(1), frame(10 * MB), Rank.SMALL_BYTES + 1);
    assertFalse(channel.config().isAutoRead());
    for (int second = 0; second < TIMEOUT_SECONDS - 2; second++) {
      advance();
    }
    assertTrue(channel.isActive(), "it waits for us");
    for (int second = 0; second < 4; second++) {
      advance();
    }
    assertFalse(channel.isActive());
    account.release(MemoryUse.REQUESTS, good, 30L * MB);
  }

  /** What it could not send while it waited does not count as slowness. */
  @Test
  void aFrameThatWaitedHasItsTimeForTheRest() throws IOException {
    assertTrue(account.tryReserve(MemoryUse.REQUESTS, good, 30L * MB, Rank.LARGE));
    byte[] frame = frame(10 * MB);
    EmbeddedChannel channel = begin(address(1), frame, Rank.SMALL_BYTES + 1);
    for (int second = 0; second < TIMEOUT_SECONDS - 5; second++) {
      advance();
    }
    account.release(MemoryUse.REQUESTS, good, 30L * MB);
    account.force(MemoryUse.REQUESTS, good, 45L * MB); // others wait, or would
    channel.runPendingTasks();
    assertTrue(account.isPressed());
    advance();
    advance();
    assertTrue(channel.isActive(), "the rest was granted a moment ago");
    int at = Rank.SMALL_BYTES + 1;
    send(channel, Unpooled.directBuffer().writeBytes(frame, at, frame.length - at));
    assertAnswered(channel);
    account.release(MemoryUse.REQUESTS, good, 45L * MB);
  }

  /** No message may have this length, so neither its bytes nor memory for them are waited for. */
  @Test
  void aMessageThatIsTooLongIsRefusedByItsFirst64KiBAndTheNextRequestIsServed() throws IOException {
    dispatcher.close();
    long messages = account.pool(MemoryPool.Kind.HEAP).largest();
    open(2 * messages + 64L * MB);
    ByteArrayOutputStream start = new ByteArrayOutputStream();
    RequestHeader.newBuilder()
        .setCallId(9)
        .setMethodName("Multi")
        .setRequestParam(true)
        .build()
        .writeDelimitedTo(start);
    int length = (int) messages + 1;
    CodedOutputStream coded = CodedOutputStream.newInstance(start);
    coded.writeUInt32NoTag(length);
    coded.flush();
    EmbeddedChannel channel = connect(address(1));
    ByteBuf frame = Unpooled.directBuffer().writeInt(start.size() + length);
    frame.writeBytes(start.toByteArray());
    int shown = Rank.SMALL_BYTES - start.size();
    send(channel, frame.writeZero(shown));
    ResponseHeader refusal = reply(channel);
    assertEquals(9, refusal.getCallId());
    assertTrue(
        refusal.getException().getStackTrace().contains("bytes on the heap"),
        () -> refusal.getException().toString());
    assertEquals(1, account.refusedCount());
    assertEquals(0, account.used(MemoryUse.REQUESTS));
    int left = length - shown;
    for (; left > MB; left -= MB) {
      send(channel, Unpooled.directBuffer().writeZero(MB));
      assertEquals(0, account.used(MemoryUse.REQUESTS));
    }
    byte[] next = frame(100);
    ByteBuf last = Unpooled.directBuffer().writeZero(left);
    send(channel, last.writeInt(next.length).writeBytes(next)); // in one read with the next request
    assertAnswered(channel);
  }
}
