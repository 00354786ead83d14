package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.grampus.server.memory.MemoryPool;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.grampus.server.rpc.ServiceRegistry;
import org.junit.jupiter.api.Test;

/** What requests may take, connection by connection. */
class HostileClientsTest extends HostileTest {
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
    assertEndsAfter(FRAME_TIMEOUT_MILLIS, channel);
    close(channel);
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
}
