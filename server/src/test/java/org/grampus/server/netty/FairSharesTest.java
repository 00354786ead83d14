package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.RpcService;
import org.grampus.server.rpc.ServiceRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Which calls run at low priority, and what one connection may take of an event loop's turn. */
class FairSharesTest {
  private static final String LIGHT = "rpc-handler";
  private static final String HEAVY = "rpc-heavy";
  private static final String PRIORITY = "rpc-priority-handler";
  private static final int LARGE = 1 << 20;
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** What the heavy threads have. */
  private static final int NICENESS = 10;

  /** Place behind the name in /proc/thread-self/stat. */
  private static final int NICENESS_FIELD = 16;

  private final ThreadsService service = new ThreadsService();
  private final MemoryPeers peers = new MemoryPeers(1000);

  /** The time of the records of clients' work, so that a pause of the machine clears none. */
  private final AtomicLong clock = new AtomicLong();

  private RpcServerConfig config;
  private Dispatcher dispatcher;

  /**
   * Notes the threads of its calls: Read, LongRead and Write, which is none that gives way;
   * SystemRead and SystemWrite are the same on a system table.
   */
  private static final class ThreadsService implements RpcService {
    private volatile String decoder;
    private volatile String thread;
    private volatile int niceness;

    @Override
    public String name() {
      return "ClientService";
    }

    @Override
    public RpcMethod method(String name) {
      return new RpcMethod() {
        @Override
        public String name() {
          return name;
        }

        @Override
        public Message prototype() {
          decoder = Thread.currentThread().getName();
          return MultiRequest.getDefaultInstance();
        }

        @Override
        public Handlers handlers(Call call) {
          return name.endsWith("Write") ? Handlers.EVENT_LOOP : Handlers.POOL;
        }

        @Override
        public int priority(Call call) {
          return name.startsWith("System") ? HConstants.SYSTEMTABLE_QOS : HConstants.NORMAL_QOS;
        }

        @Override
        public boolean mayGiveWay(Call call) {
          return !name.endsWith("Write");
        }

        @Override
        public boolean run(Call call, boolean mayBlock) {
          if (!mayBlock) {
            return false;
          }
          thread = Thread.currentThread().getName();
          niceness = currentNiceness();
          if (name.equals("LongRead")) {
            work();
          }
          call.reply(GetResponse.getDefaultInstance());
          return true;
        }
      };
    }

    private static void work() {
      var threads = ManagementFactory.getThreadMXBean();
      long end = threads.getCurrentThreadCpuTime() + LONG_NANOS;
      while (threads.getCurrentThreadCpuTime() - end < 0) {
        Thread.onSpinWait();
      }
    }
  }

  @BeforeEach
  void open() {
    config = RpcServerConfig.from(new Configuration(false));
    dispatcher = new Dispatcher(config, clock::get, List.of());
    dispatcher.start();
  }

  @AfterEach
  void close() {
    dispatcher.close();
    assertEquals(0, dispatcher.bytesInFlight());
  }

  @Test
  void readsOfClientsWhoseCallsWereLongGiveWay() throws Exception {
    EmbeddedChannel neighbour = connect(1);
    EmbeddedChannel mallory = connect(1);
    call(mallory, "LongRead", 0, new byte[0]);
    assertRunsOn(LIGHT);
    awaitHandlers();
    call(mallory, "Read", 0, new byte[0]);
    assertRunsOn(HEAVY);
    call(mallory, "Write", 0, new byte[0]);
    assertRunsOn(LIGHT); // others would wait for its locks
    call(connect(1), "Read", 0, new byte[0]);
    assertRunsOn(HEAVY); // a new connection is no new client
    call(neighbour, "Read", 0, new byte[0]);
    assertRunsOn(LIGHT);
    call(connect(2), "Read", 0, new byte[0]);
    assertRunsOn(LIGHT);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(10)); // the longest that a record takes to be empty
    call(mallory, "Read", 0, new byte[0]);
    assertRunsOn(LIGHT);
  }

  @Test
  void largeMessagesAreReadAtLowPriority() throws Exception {
    EmbeddedChannel channel = connect(1);
    call(channel, "Read", LARGE, new byte[0]);
    assertRunsOn(HEAVY);
    call(channel, "Write", LARGE, new byte[0]);
    assertRunsOn(LIGHT);
  }

  @Test
  void largeCallsOnSystemTablesGiveWayOnlyUntilTheyAreKnown() throws Exception {
    EmbeddedChannel channel = connect(1);
    for (byte[] cells : List.of(new byte[0], packedCells())) {
      for (String method : List.of("SystemRead", "SystemWrite")) {
        call(channel, method, LARGE, cells);
        assertTrue(service.decoder.startsWith(HEAVY), service.decoder);
        assertRunsOn(PRIORITY);
      }
    }
  }

  @Test
  void largeCallsWhoseHeaderHasAHighPriorityNeverGiveWay() throws Exception {
    EmbeddedChannel channel = connect(1);
    for (byte[] cells : List.of(new byte[0], packedCells())) {
      for (String method : List.of("Read", "Write")) {
        call(channel, frame(method, HConstants.HIGH_QOS, LARGE, cells));
        assertTrue(service.decoder.startsWith(PRIORITY), service.decoder);
        assertRunsOn(PRIORITY);
      }
    }
  }

  @Test
  void writesLeaveTheHeavyPoolOnceTheirCellsAreExpanded() throws Exception {
    EmbeddedChannel channel = connect(1);
    call(channel, "Write", 0, packedCells());
    assertRunsOn(LIGHT);
    call(channel, "Read", 0, packedCells());
    assertRunsOn(HEAVY);
    call(channel, "SystemWrite", 0, packedCells());
    assertRunsOn(PRIORITY);
  }

  /** Cells that no event loop expands. */
  private static byte[] packedCells() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(new byte[LARGE]);
    }
    return packed.toByteArray();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void heavyThreadsHaveALowerPriority() throws Exception {
    int own = currentNiceness();
    assumeTrue(own < NICENESS, "no thread of this process has a higher priority");
    EmbeddedChannel channel = connect(1);
    call(channel, "Read", 0, new byte[0]);
    assertEquals(own, service.niceness);
    call(channel, "Read", LARGE, new byte[0]);
    assertEquals(NICENESS, service.niceness);
  }

  @Test
  void aLargeFrameGetsOneReadInEachTurnOfItsLoop() throws Exception {
    EmbeddedChannel channel = connect(1);
    var reads =
        (RecvByteBufAllocator.ExtendedHandle)
            channel.config().getRecvByteBufAllocator().newHandle();
    assertTrue(readsOn(channel, reads), "nothing is known of a frame yet");
    byte[] frame = frame("Read", HConstants.NORMAL_QOS, 16 * LARGE, new byte[0]);
    ByteBuf first = Unpooled.directBuffer().writeInt(frame.length);
    channel.writeInbound(first.writeBytes(frame, 0, 1 << 20));
    assertFalse(readsOn(channel, reads), "the other connections have their turn");
    assertTrue(channel.close().isDone());
  }

  @Test
  void whatOneReadLeavesIsReportedInTheNextTurn() {
    assumeTrue(Epoll.isAvailable(), "other transports report it anyway");
    ServiceRegistry services = new ServiceRegistry().add(service);
    try (NettyTransport transport = new NettyTransport(config, services, () -> "id", dispatcher)) {
      Object mode =
          transport.bootstrap().config().childOptions().get(EpollChannelOption.EPOLL_MODE);
      assertEquals(EpollMode.LEVEL_TRIGGERED, mode);
    }
  }

  /** Whether Netty takes a read that filled its buffer for one of several. */
  private static boolean readsOn(
      EmbeddedChannel channel, RecvByteBufAllocator.ExtendedHandle reads) {
    ByteBuf room = reads.allocate(channel.alloc());
    reads.attemptedBytesRead(room.writableBytes());
    reads.lastBytesRead(room.writableBytes());
    room.release();
    return reads.attemptedBytesRead() == reads.lastBytesRead();
  }

  private void assertRunsOn(String pool) {
    assertTrue(service.thread.startsWith(pool), service.thread);
  }

  /** Handlers enter what a call took after its reply. */
  private void awaitHandlers() {
    long end = System.nanoTime() + WAIT_NANOS;
    while (dispatcher.activeHandlers() > 0) {
      assertTrue(System.nanoTime() - end < 0, "a handler does not end");
      Thread.onSpinWait();
    }
  }

  private EmbeddedChannel connect(int host) throws IOException {
    InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) host});
    MemoryPeer peer = peers.enter(address);
    EmbeddedChannel channel =
        new EmbeddedChannel() {
          @Override
          protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(address, 1);
          }
        };
    ServiceRegistry services = new ServiceRegistry().add(service);
    NettyTransport.initialize(
        channel, peer, config, services, () -> "id", dispatcher, new LoopChecks());
    byte[] header =
        ConnectionHeader.newBuilder()
            .setServiceName("ClientService")
            .setCellBlockCodecClass(KeyValueCodec.class.getName())
            .setCellBlockCompressorClass("org.apache.hadoop.io.compress.GzipCodec")
            .build()
            .toByteArray();
    ByteBuf hello = Unpooled.directBuffer();
    hello.writeCharSequence("HBas\0P", StandardCharsets.US_ASCII);
    channel.writeInbound(hello.writeInt(header.length).writeBytes(header));
    return channel;
  }

  /** Calls a method with a message of about {@code bytes} bytes, and waits for its reply. */
  private static void call(EmbeddedChannel channel, String method, int bytes, byte[] cells)
      throws IOException {
    call(channel, frame(method, HConstants.NORMAL_QOS, bytes, cells));
  }

  private static void call(EmbeddedChannel channel, byte[] frame) {
    channel.writeInbound(Unpooled.directBuffer().writeInt(frame.length).writeBytes(frame));
    long end = System.nanoTime() + WAIT_NANOS;
    ByteBuf reply = null;
    while (reply == null && System.nanoTime() - end < 0) {
      channel.runPendingTasks();
      reply = channel.readOutbound();
    }
    assertNotNull(reply, "no reply");
    reply.release();
  }

  private static byte[] frame(String method, int priority, int bytes, byte[] cells)
      throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    RequestHeader.Builder header =
        RequestHeader.newBuilder().setCallId(7).setMethodName(method).setRequestParam(true);
    if (priority != HConstants.NORMAL_QOS) {
      header.setPriority(priority);
    }
    if (cells.length > 0) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cells.length));
    }
    header.build().writeDelimitedTo(body);
    MultiRequest.newBuilder()
        .addRegionAction(
            RegionAction.newBuilder()
                .setRegion(
                    RegionSpecifier.newBuilder()
                        .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                        .setValue(ByteString.copyFrom(new byte[bytes]))))
        .build()
        .writeDelimitedTo(body);
    body.write(cells);
    return body.toByteArray();
  }

  private static int currentNiceness() {
    Path stat = Path.of("/proc/thread-self/stat");
    if (!Files.exists(stat)) {
      return 0;
    }
    try {
      String line = Files.readString(stat);
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      return Integer.parseInt(fields[NICENESS_FIELD]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
