package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.grampus.compat.protocol.Frames;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the byte stream into frames and passes each on without its length, as a buffer that the next
 * handler owns. A frame that lies whole in what was read is a slice of it. The memory of any other
 * is reserved first: up to {@link Rank#SMALL_BYTES} when it begins, the rest when so much of it has
 * arrived, so that a length alone costs nothing. Until it is granted the connection is not read.
 * What then arrives is read straight into the frame ({@link FrameReads}). A frame that makes no
 * progress, or little while others wait, ends its connection. One above the limit becomes an {@link
 * OversizedFrame}, after which the stream is ignored.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close arrives as channelInactive
final class FrameDecoder extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(FrameDecoder.class);

  /** As much of an oversized frame as names its call: the header comes first. */
  private static final int OVERSIZED_HEAD_BYTES = Rank.SMALL_BYTES;

  /** Read at once into a frame, so that the other connections of the event loop get their turn. */
  private static final int READ_BYTES = 256 << 10;

  /** A frame above the limit: its length and the first bytes, which the receiver releases. */
  record OversizedFrame(long length, ByteBuf head) {}

  /** A frame whose memory is reserved; both go over to the receiver. */
  record ReservedFrame(ByteBuf bytes, long reserved) {}

  private final Connection connection;
  private final MemoryAccount account;
  private final PeerProgress progress;
  private final ArrayDeque<ByteBuf> reads = new ArrayDeque<>(2);
  private int maxFrameBytes;
  private int lengthBytes;
  private long length;
  private boolean oversized;
  private boolean stopped;

  /** The frame that is being received, and the bytes that are reserved for it. */
  private ByteBuf partial;

  private long reserved;

  /** The last part of the frame that was given out to be read into. */
  private ByteBuf lent;

  private Object waiter;
  private boolean decoding;

  private boolean watched;

  FrameDecoder(Connection connection, int maxFrameBytes, long timeoutMillis) {
    this.connection = connection;
    this.account = connection.account();
    this.maxFrameBytes = maxFrameBytes;
    this.progress = new PeerProgress(account, timeoutMillis);
  }

  /** Sets the limit for the frames that follow. */
  void maxFrameBytes(int limit) {
    maxFrameBytes = limit;
  }

  /** Ignores everything that still comes. */
  void stop() {
    stopped = true;
    if (waiter != null && account.leave(MemoryUse.REQUESTS, waiter)) {
      waiter = null;
    }
    discardPartial();
    if (!decoding) {
      releaseReads();
    }
  }

  /** Lets time pass, for tests: what was just received or read is older by it. */
  void passed(long nanos) {
    progress.passed(nanos);
    connection.passed(nanos);
  }

  /** The room behind what the frame has so far, to be read into; null when there is none. */
  ByteBuf room() {
    if (partial == null || waiter != null || !partial.isWritable() || !reads.isEmpty()) {
      return null;
    }
    int index = partial.writerIndex();
    lent = partial.retainedSlice(index, Math.min(partial.writableBytes(), READ_BYTES)).clear();
    return lent;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // two buffers with the same bytes are not the same room
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (in == lent && partial != null) {
      takeLent(ctx, in);
      return;
    }
    lent = null;
    reads.add(in);
    decode(ctx);
  }

  private void takeLent(ChannelHandlerContext ctx, ByteBuf in) {
    lent = null;
    partial.writerIndex(partial.writerIndex() + in.readableBytes());
    progress.moved(in.readableBytes());
    in.release();
    advance(ctx);
  }

  private void decode(ChannelHandlerContext ctx) {
    if (decoding) {
      return; // a frame's receiver has brought more; the loop below comes to it
    }
    decoding = true;
    try {
      while (!reads.isEmpty() && waiter == null && !stopped) {
        ByteBuf in = reads.peek();
        step(ctx, in);
        if (!in.isReadable() && waiter == null && !reads.isEmpty()) {
          reads.remove().release();
        }
      }
    } finally {
      decoding = false;
      if (stopped) {
        releaseReads();
      }
    }
  }

  private void step(ChannelHandlerContext ctx, ByteBuf in) {
    if (lengthBytes < Frames.LENGTH_BYTES) {
      readLength(in);
    } else {
      readBody(ctx, in);
    }
    if (lengthBytes == Frames.LENGTH_BYTES && length == 0 && !stopped) {
      emit(ctx, in.alloc().directBuffer(0, 0));
    }
  }

  private void readLength(ByteBuf in) {
    if (lengthBytes == 0 && in.readableBytes() >= Frames.LENGTH_BYTES) {
      length = in.readUnsignedInt();
      lengthBytes = Frames.LENGTH_BYTES;
    } else if (in.isReadable()) {
      length = (length << Byte.SIZE) | in.readUnsignedByte();
      lengthBytes++;
    }
    if (lengthBytes == Frames.LENGTH_BYTES) {
      oversized = length > maxFrameBytes;
    }
  }

  private int wanted() {
    return (int) (oversized ? Math.min(length, OVERSIZED_HEAD_BYTES) : length);
  }

  private void readBody(ChannelHandlerContext ctx, ByteBuf in) {
    int wanted = wanted();
    if (partial == null && in.readableBytes() >= wanted) {
      emit(ctx, in.readRetainedSlice(wanted));
      return;
    }
    if (partial == null) {
      if (in.isReadable()) {
        int first = Math.min(wanted, Rank.SMALL_BYTES);
        reserve(ctx, first, Rank.SMALL, first);
      }
      return;
    }
    int take = Math.min(in.readableBytes(), partial.writableBytes());
    partial.writeBytes(in, take);
    progress.moved(take);
    advance(ctx);
  }

  /** The frame has received something: passes it on when it is complete, else lets it grow. */
  private void advance(ChannelHandlerContext ctx) {
    int wanted = wanted();
    if (partial.readableBytes() == wanted) {
      ByteBuf frame = partial;
      partial = null;
      emit(ctx, frame);
    } else if (!partial.isWritable()) {
      long rest = (long) wanted - reserved;
      reserve(ctx, rest, Rank.of(wanted), wanted);
    }
  }

  /** Goes on with a buffer of this capacity once these bytes are reserved. */
  private void reserve(ChannelHandlerContext ctx, long bytes, Rank rank, int capacity) {
    boolean mayOvertake = rank == Rank.SMALL || !account.isContended();
    if (mayOvertake
        && account.tryReserve(MemoryUse.REQUESTS, connection.memoryPeer(), bytes, rank)) {
      grow(ctx, bytes, capacity);
      return;
    }
    connection.stopReading(Connection.AWAITS_MEMORY);
    waiter = this; // until there is a real one: the grant may come first, but runs later
    waiter =
        account.await(
            MemoryUse.REQUESTS,
            connection.memoryPeer(),
            bytes,
            rank,
            () -> ctx.executor().execute(() -> granted(ctx, bytes, capacity)));
  }

  private void granted(ChannelHandlerContext ctx, long bytes, int capacity) {
    waiter = null;
    if (stopped) {
      account.release(MemoryUse.REQUESTS, connection.memoryPeer(), bytes);
      return;
    }
    try {
      grow(ctx, bytes, capacity);
      decode(ctx);
    } catch (RuntimeException | Error e) {
      ctx.fireExceptionCaught(e); // as from channelRead, whose caller would do it
      return;
    }
    if (waiter == null) {
      connection.resumeReading(Connection.AWAITS_MEMORY);
    }
  }

  private void grow(ChannelHandlerContext ctx, long bytes, int capacity) {
    reserved += bytes;
    ByteBuf larger = ctx.alloc().directBuffer(capacity, capacity);
    if (partial != null) {
      larger.writeBytes(partial);
      partial.release();
    }
    partial = larger;
    progress.excuse();
    watch(ctx);
  }

  private void watch(ChannelHandlerContext ctx) {
    if (!watched) {
      progress.begin();
      schedule(ctx);
    }
  }

  private void schedule(ChannelHandlerContext ctx) {
    watched = true;
    var unused =
        ctx.executor().schedule(() -> check(ctx), PeerProgress.CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Ends the connection of a frame that does not come on. */
  private void check(ChannelHandlerContext ctx) {
    watched = false;
    if (partial == null || stopped) {
      return;
    }
    if (waiter != null) {
      progress.excuse(); // the frame waits for us
      schedule(ctx);
      return;
    }
    switch (progress.judge()) {
      case FINE -> schedule(ctx);
      case STOPPED -> end(ctx, "sent nothing of it for " + progress.timeoutMillis() + " ms");
      case SLOW -> end(ctx, "is slow, and other clients wait for memory");
    }
  }

  private void end(ChannelHandlerContext ctx, String why) {
    LOG.info(
        "connection from {} ends: it has sent {} of a request of {} bytes and {}",
        connection,
        partial.readableBytes(),
        length,
        why);
    stop();
    ctx.close();
  }

  private void emit(ChannelHandlerContext ctx, ByteBuf frame) {
    boolean tooLarge = oversized;
    long frameLength = length;
    long frameReserved = reserved;
    lengthBytes = 0;
    length = 0;
    oversized = false;
    reserved = 0;
    if (tooLarge) {
      stopped = true;
      account.release(MemoryUse.REQUESTS, connection.memoryPeer(), frameReserved);
      ctx.fireChannelRead(new OversizedFrame(frameLength, frame));
    } else if (frameReserved > 0) {
      ctx.fireChannelRead(new ReservedFrame(frame, frameReserved));
    } else {
      ctx.fireChannelRead(frame);
    }
  }

  private void discardPartial() {
    if (partial != null) {
      partial.release();
      partial = null;
    }
    account.release(MemoryUse.REQUESTS, connection.memoryPeer(), reserved);
    reserved = 0;
  }

  private void releaseReads() {
    while (!reads.isEmpty()) {
      reads.remove().release();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    stop();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    stop();
    ctx.fireChannelInactive();
  }
}
