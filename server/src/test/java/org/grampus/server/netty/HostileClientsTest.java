package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
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
import org.grampus.server.memory.Rank;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.RpcService;
import org.grampus.server.rpc.ServiceRegistry;
import org.grampus.server.testkit.PooledMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What requests and replies may take, connection by connection, and that all of it comes back. */
class HostileClientsTest {
  private static final int MB = 1 << 20;
  private static final int DIRECT_BYTES = 64 * MB;
  private static final int FRAME_TIMEOUT_MILLIS = 30_000;
  private static final int REPLY_TIMEOUT_MILLIS = 10_000;

  private final MultiService service = new MultiService();
  private final MemoryPeers peers = new MemoryPeers(1000);
  private final MemoryPeer mallory = peers.enter(InetAddress.getLoopbackAddress());
  private final MemoryPeer good = peers.enter(null);
  private RpcServerConfig config;
  private Dispatcher dispatcher;
  private MemoryAccount account;
  private long buffersBefore;

  /** Answers Multi with nothing, and Big with as many bytes of cells as it is asked for. */
  private static final class MultiService implements RpcService, RpcMethod {
    private int calls;
    private int replyBytes;

    @Override
    public String name() {
      return "ClientService";
    }

    @Override
    public RpcMethod method(String name) {
      return this;
    }

    @Override
    public Message prototype() {
      return MultiRequest.getDefaultInstance();
    }

    @Override
    public Handlers handlers(Call call) {
      return Handlers.EVENT_LOOP;
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

  private EmbeddedChannel connect(MemoryPeer peer, String compressor) {
    return connect(new EmbeddedChannel(), peer, compressor);
  }

  private EmbeddedChannel connect(EmbeddedChannel channel, MemoryPeer peer, String compressor) {
    ServiceRegistry services = new ServiceRegistry().add(service);
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

  private static void send(EmbeddedChannel channel, ByteBuf bytes) {
    channel.writeInbound(bytes);
    channel.runPendingTasks();
  }

  private static byte[] frame(Message param, byte[] cells) throws IOException {
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

  private static ByteBuf withLength(byte[] frame) {
    return Unpooled.directBuffer(4 + frame.length).writeInt(frame.length).writeBytes(frame);
  }

  private static Message emptyActions(int count) {
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
    return ResponseHeader.parseDelimitedFrom(new ByteArrayInputStream(bytes, 4, bytes.length - 4));
  }

  private static void close(EmbeddedChannel... channels) {
    for (EmbeddedChannel channel : channels) {
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void aMessageThatWouldFillTheHeapIsRefusedWithoutBeingParsed() throws IOException {
    long most = account.pool(MemoryPool.Kind.HEAP).largest();
    int actions = (int) Math.min(most / 100, 12L * MB); // 2 bytes each, 150 on the heap
    EmbeddedChannel channel = connect(mallory, null);
    send(channel, withLength(frame(emptyActions(actions), new byte[0])));
    assertEquals(most / 100, actions, "a test's heap is so small that a request can fill it");
    ResponseHeader reply = reply(channel);
    assertEquals(7, reply.getCallId());
    assertEquals(
        DoNotRetryIOException.class.getName(), reply.getException().getExceptionClassName());
    assertTrue(reply.getException().getStackTrace().contains("on the heap"));
    assertEquals(0, service.calls);
    close(channel);
  }

  @Test
  void aLengthCostsNothingAndAPartialFrameWhatItsSenderHasShown() {
    EmbeddedChannel channel = connect(mallory, null);
    send(channel, Unpooled.directBuffer().writeInt(20 * MB));
    assertEquals(0, account.used(MemoryUse.REQUESTS));
    send(channel, Unpooled.directBuffer().writeZero(100));
    assertEquals(Rank.SMALL_BYTES, account.used(MemoryUse.REQUESTS));
    send(channel, Unpooled.directBuffer().writeZero(Rank.SMALL_BYTES));
    assertEquals(20 * MB, account.used(MemoryUse.REQUESTS));
    close(channel);
  }

  @Test
  void framesWithoutMemoryAreNotReadAndSmallOnesOfOthersGoOn() throws IOException {
    byte[] large = frame(emptyActions(1), new byte[15 * MB]);
    EmbeddedChannel[] holders = new EmbeddedChannel[4];
    for (int i = 0; i < holders.length; i++) {
      holders[i] = connect(mallory, null);
      ByteBuf begin = Unpooled.directBuffer().writeInt(large.length);
      send(holders[i], begin.writeBytes(large, 0, Rank.SMALL_BYTES + 1));
    }
    assertTrue(holders[0].config().isAutoRead() && holders[1].config().isAutoRead());
    assertFalse(holders[2].config().isAutoRead());
    assertFalse(holders[3].config().isAutoRead());
    assertTrue(account.used(MemoryUse.REQUESTS) <= DIRECT_BYTES / 2 + 2 * Rank.SMALL_BYTES);
    EmbeddedChannel neighbour = connect(good, null);
    send(neighbour, withLength(frame(emptyActions(1), new byte[100])));
    assertFalse(reply(neighbour).hasException());
    send(neighbour, withLength(frame(emptyActions(1), new byte[MB])));
    assertFalse(reply(neighbour).hasException());
    for (EmbeddedChannel holder : holders) {
      // each waits for the one before it to be answered
      assertTrue(holder.config().isAutoRead());
      int sent = Rank.SMALL_BYTES + 1;
      send(holder, Unpooled.directBuffer().writeBytes(large, sent, large.length - sent));
      assertFalse(reply(holder).hasException());
      for (EmbeddedChannel other : holders) {
        other.runPendingTasks();
      }
    }
    close(neighbour);
    close(holders);
  }

  @Test
  void whatArrivesIsReadStraightIntoTheFrame() throws IOException {
    byte[] frame = frame(emptyActions(1), new byte[MB]);
    EmbeddedChannel channel = connect(good, null);
    int begun = Rank.SMALL_BYTES + 1;
    send(channel, Unpooled.directBuffer().writeInt(frame.length).writeBytes(frame, 0, begun));
    FrameDecoder decoder = channel.pipeline().get(FrameDecoder.class);
    int at = begun;
    for (ByteBuf room = decoder.room(); room != null; room = decoder.room()) {
      int bytes = Math.min(room.writableBytes(), frame.length - at);
      send(channel, room.writeBytes(frame, at, bytes));
      at += bytes;
    }
    assertEquals(frame.length, at);
    assertFalse(reply(channel).hasException());
    close(channel);
  }

  @Test
  void aFrameWithoutProgressEndsItsConnection() {
    EmbeddedChannel channel = connect(mallory, null);
    send(channel, Unpooled.directBuffer().writeInt(MB).writeZero(Rank.SMALL_BYTES + 1));
    assertEquals(MB, account.used(MemoryUse.REQUESTS));
    for (int second = 0; second < FRAME_TIMEOUT_MILLIS / 1000 - 2; second++) {
      advance(channel);
    }
    assertTrue(channel.isActive());
    for (int second = 0; second < 4; second++) {
      advance(channel);
    }
    assertFalse(channel.isActive());
    close(channel);
  }

  /** A second passes for the channel's timers, and for the decoder's clock. */
  private static void advance(EmbeddedChannel channel) {
    if (channel.isActive()) {
      channel.pipeline().get(FrameDecoder.class).passed(TimeUnit.SECONDS.toNanos(1));
    }
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void bombsInCellBlocksAreRefusedAtTheLimit() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      byte[] zeros = new byte[MB];
      for (int i = 0; i < 60; i++) {
        gzip.write(zeros);
      }
    }
    EmbeddedChannel channel = connect(mallory, "org.apache.hadoop.io.compress.GzipCodec");
    send(channel, withLength(frame(emptyActions(1), bytes.toByteArray())));
    ResponseHeader reply = reply(channel);
    assertTrue(reply.hasException());
    assertEquals(0, service.calls);
    close(channel);
  }

  private static byte[] gzipped(byte[] cells) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(cells);
    }
    return bytes.toByteArray();
  }

  private static byte[] incompressible(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  /** Netty has no memory, once, for the expanded cells. */
  private void assertFailsForWantOfMemory(int cellBytes) throws IOException {
    EmbeddedChannel channel = connect(mallory, "org.apache.hadoop.io.compress.GzipCodec");
    byte[] call = frame(emptyActions(1), gzipped(incompressible(cellBytes)));
    ByteBuf request = withLength(call);
    channel.config().setAllocator(new EmptyOnce());
    send(channel, request);
    ResponseHeader reply = reply(channel);
    assertEquals(7, reply.getCallId());
    assertTrue(reply.getException().getStackTrace().contains("no direct memory"));
    assertEquals(0, service.calls);
    send(channel, withLength(call));
    assertFalse(reply(channel).hasException(), "the connection goes on");
    close(channel);
  }

  /** An allocator whose first direct buffer cannot be had. */
  private static final class EmptyOnce extends AbstractByteBufAllocator {
    private final AtomicBoolean empty = new AtomicBoolean(true);

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return PooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      if (empty.getAndSet(false)) {
        throw new OutOfMemoryError("no direct memory");
      }
      return PooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return true;
    }
  }

  @Test
  void cellsThatFindNoMemoryOnTheEventLoopFailTheirCallAlone() throws IOException {
    assertFailsForWantOfMemory(100);
  }

  @Test
  void cellsThatFindNoMemoryOnAPoolFailTheirCallAlone() throws IOException {
    assertFailsForWantOfMemory(10_000);
  }

  @Test
  void repliesThatAreNotReadAreCountedAndTheNextAreRefused() throws IOException {
    service.replyBytes = 10 * MB;
    EmbeddedChannel channel = connect(new StalledChannel(), mallory, null);
    byte[] call = frame(emptyActions(1), new byte[0]);
    ByteBuf calls = Unpooled.directBuffer();
    for (int i = 0; i < 10; i++) {
      calls.writeInt(call.length).writeBytes(call);
    }
    send(channel, calls);
    assertFalse(channel.config().isAutoRead());
    assertTrue(account.used(MemoryUse.REPLIES) >= 30 * MB, "those that wait are counted");
    assertTrue(account.used(MemoryUse.REPLIES) <= DIRECT_BYTES / 2 + 11 * MB, "and bounded");
    assertTrue(account.refusedCount() > 0);
    service.replyBytes = 0;
    EmbeddedChannel neighbour = connect(good, null);
    send(neighbour, withLength(call));
    assertFalse(reply(neighbour).hasException());
    close(neighbour, channel);
  }

  @Test
  void aPeerThatDoesNotReadItsRepliesLosesItsConnection() throws IOException {
    service.replyBytes = MB;
    EmbeddedChannel channel = connect(new StalledChannel(), mallory, null);
    send(channel, withLength(frame(emptyActions(1), new byte[0])));
    for (int second = 0; second < REPLY_TIMEOUT_MILLIS / 1000 - 2; second++) {
      advance(channel);
    }
    assertTrue(channel.isActive());
    for (int second = 0; second < 4; second++) {
      advance(channel);
    }
    assertFalse(channel.isActive());
    close(channel);
  }

  @Test
  void aRefusedConnectionWhosePeerDoesNotReadEnds() throws IOException {
    service.replyBytes = MB;
    EmbeddedChannel behindReplies = connect(new StalledChannel(), mallory, null);
    send(behindReplies, withLength(frame(emptyActions(1), new byte[0])));
    EmbeddedChannel alone = connect(new StalledChannel(), mallory, null);
    for (EmbeddedChannel channel : new EmbeddedChannel[] {behindReplies, alone}) {
      ByteBuf oversized = Unpooled.directBuffer().writeInt(Integer.MAX_VALUE);
      send(channel, oversized.writeBytes(frame(emptyActions(1), new byte[Rank.SMALL_BYTES])));
      assertTrue(channel.isActive());
      for (int second = 0; second < REPLY_TIMEOUT_MILLIS / 1000 + 2; second++) {
        advance(channel);
      }
      assertFalse(channel.isActive());
    }
    close(behindReplies, alone);
  }

  /** A channel whose peer does not read: what is flushed stays. */
  private static final class StalledChannel extends EmbeddedChannel {
    @Override
    protected void doWrite(io.netty.channel.ChannelOutboundBuffer in) {}
  }

  @Test
  void questionsBeforeThePreambleAreFew() {
    EmbeddedChannel channel = new EmbeddedChannel();
    NettyTransport.initialize(
        channel, mallory, config, new ServiceRegistry(), () -> "id", dispatcher, new LoopChecks());
    ByteBuf questions = Unpooled.directBuffer();
    for (int i = 0; i < 100; i++) {
      questions.writeCharSequence("Securi", StandardCharsets.US_ASCII);
    }
    send(channel, questions);
    assertFalse(channel.isActive());
    int answers = 0;
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      out.release();
      answers++;
    }
    assertTrue(answers <= 4, answers + " answers");
    close(channel);
  }

  @Test
  void noLoadKeepsASystemCallOut() throws IOException {
    CallHolder holder = new CallHolder(account, mallory, good);
    holder.takeAll(MemoryUse.REQUESTS);
    holder.takeAll(MemoryUse.MESSAGES);
    EmbeddedChannel ordinary = connect(good, null);
    send(ordinary, withLength(frame(emptyActions(1), new byte[100])));
    assertEquals(
        CallQueueTooBigException.class.getName(),
        reply(ordinary).getException().getExceptionClassName());
    assertEquals(0, service.calls);
    RpcService system =
        new RpcService() {
          @Override
          public String name() {
            return "ClientService";
          }

          @Override
          public RpcMethod method(String name) {
            return new SystemMethod();
          }
        };
    EmbeddedChannel channel = new EmbeddedChannel();
    NettyTransport.initialize(
        channel,
        good,
        config,
        new ServiceRegistry().add(system),
        () -> "id",
        dispatcher,
        new LoopChecks());
    byte[] header =
        ConnectionHeader.newBuilder().setServiceName("ClientService").build().toByteArray();
    ByteBuf hello = Unpooled.directBuffer();
    hello.writeCharSequence("HBas\0P", StandardCharsets.US_ASCII);
    send(channel, hello.writeInt(header.length).writeBytes(header));
    send(channel, withLength(frame(emptyActions(1), new byte[0])));
    assertFalse(reply(channel).hasException());
    assertNull(channel.readOutbound());
    holder.giveBack();
    close(ordinary, channel);
  }

  private static final class SystemMethod implements RpcMethod {
    @Override
    public String name() {
      return "Multi";
    }

    @Override
    public Message prototype() {
      return MultiRequest.getDefaultInstance();
    }

    @Override
    public Handlers handlers(Call call) {
      return Handlers.PRIORITY;
    }

    @Override
    public boolean run(Call call, boolean mayBlock) {
      call.reply(MultiResponse.getDefaultInstance());
      return true;
    }
  }

  /** Ordinary load that has all that ordinary load can have. */
  private record CallHolder(MemoryAccount account, long[] taken, MemoryPeer[] from) {
    CallHolder(MemoryAccount account, MemoryPeer... from) {
      this(account, new long[2 * MemoryUse.values().length], from);
    }

    void takeAll(MemoryUse use) {
      for (int i = 0; i < from.length; i++) {
        for (long step = Rank.SMALL_BYTES; step > 0; step /= 2) {
          while (account.tryReserve(use, from[i], step, Rank.SMALL)) {
            taken[i] += step;
            if (use == MemoryUse.MESSAGES) {
              taken[i] -= step;
              taken[i + from.length] += step;
            }
          }
        }
      }
    }

    void giveBack() {
      for (int i = 0; i < from.length; i++) {
        account.release(MemoryUse.REQUESTS, from[i], taken[i]);
        account.release(MemoryUse.MESSAGES, from[i], taken[i + from.length]);
      }
    }
  }
}
