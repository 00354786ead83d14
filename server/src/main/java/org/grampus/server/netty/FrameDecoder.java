package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.grampus.compat.protocol.Frames;
import org.grampus.server.env.Env;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the byte stream into frames and passes each on without its length, as a buffer that the next
 * handler owns. A frame that lies whole in what was read is a slice of it. The memory of any other
 * is reserved first: up to {@link Rank#SMALL_BYTES} when it begins, the rest when so much of it has
 * arrived, so that a length alone costs nothing. Beginnings have a share of their own, which leaves
 * room for the rests, so that frames cannot wait for each other. Until memory is granted the
 * connection is not read. What then arrives is read straight into the frame ({@link FrameReads}). A
 * frame that makes no progress, or little while memory is short, or that gets no memory for as
 * long, ends its connection. A frame whose message is too long is refused by its first {@link
 * Rank#SMALL_BYTES}; its remaining bytes are skipped and the next frame is read. A frame above
 * {@code maxFrameBytes} becomes an {@link OversizedFrame}, after which the stream is ignored.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close arrives as channelInactive
final class FrameDecoder extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(FrameDecoder.class);

  /** As much of an oversized frame as names its call: the header comes first. */
  private static final int OVERSIZED_HEAD_BYTES = Rank.SMALL_BYTES;

  /** Read at once into a frame, so that the other connections of the event loop get their turn. */
  private static final int READ_BYTES = 256 << 10;

  /** Frames up to this size may begin whatever share of the memory beginnings have. */
  private static final int UNCOUNTED_BYTES = 4 << 10;

  /** A frame above the limit: its length and the first bytes, which the receiver releases. */
  record OversizedFrame(long length, ByteBuf head) {}

  /** A frame whose memory is reserved; both go over to the receiver. */
  record ReservedFrame(ByteBuf bytes, long reserved) {}

  private final NettyConnection connection;
  private final MemoryAccount account;
  private final PeerProgress progress;
  private final Predicate<ByteBuf> refuseIfTooLong;
  private final ArrayDeque<ByteBuf> reads = new ArrayDeque<>(2);
  private int maxFrameBytes;
  private int lengthBytes;
  private long length;
  private boolean oversized;
  private boolean stopped;

  /** The frame that is being received, and the bytes that are reserved for it. */
  private ByteBuf partial;

  private long reserved;

  /** Bytes of it that are taken of the share of beginnings as well. */
  private long begun;

  /** Bytes of a refused frame that are still to come. */
  private long bytesToSkip;

  /** The last part of the frame that was given out to be read into. */
  private ByteBuf lent;

  /** What is waited for, its use, and since when. */
  private Object waiter;

  private MemoryUse awaited;
  private long waitNanos;
  private boolean decoding;

  /** The next check of a frame that is not whole; null where none is pending. */
  private PeerChecks.Check nextCheck;

  /**
   * A decoder for one connection.
   *
   * @param refuseIfTooLong refuses a request by its first {@link Rank#SMALL_BYTES}, from the header
   *     on, and is true when it did; keeps the buffer's indices
   */
  FrameDecoder(
      NettyConnection connection,
      Predicate<ByteBuf> refuseIfTooLong,
      int maxFrameBytes,
      long timeoutMillis) {
    this.connection = connection;
    this.refuseIfTooLong = refuseIfTooLong;
    this.account = connection.account();
    this.maxFrameBytes = maxFrameBytes;
    this.progress = new PeerProgress(timeoutMillis);
  }

  /** Sets the limit for the frames that follow. */
  void maxFrameBytes(int limit) {
    maxFrameBytes = limit;
  }

  /** Ignores everything that still comes. */
  void stop() {
    stopped = true;
    if (nextCheck != null) {
      nextCheck.cancel();
    }
    if (waiter != null && account.leave(awaited, waiter)) {
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
    waitNanos -= nanos;
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

  /** Whether what comes is the rest of a frame that was refused. */
  boolean isSkipping() {
    return bytesToSkip > 0;
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
    if (bytesToSkip > 0) {
      skip(in);
    } else if (lengthBytes < Frames.LENGTH_BYTES) {
      readLength(in);
    } else {
      readBody(ctx, in);
    }
    if (lengthBytes == Frames.LENGTH_BYTES && length == 0 && !stopped) {
      emit(ctx, in.alloc().directBuffer(0, 0));
    }
  }

  private void skip(ByteBuf in) {
    int bytes = (int) Math.min(in.readableBytes(), bytesToSkip);
    in.skipBytes(bytes);
    bytesToSkip -= bytes;
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
        begin(ctx, wanted);
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
    } else if (!partial.isWritable() && !oversized && refuseIfTooLong.test(partial)) {
      bytesToSkip = length - partial.readableBytes();
      lengthBytes = 0;
      length = 0;
      discardPartial();
    } else if (!partial.isWritable()) {
      long rest = (long) wanted - reserved;
      reserve(ctx, rest, Rank.of(wanted), wanted);
    }
  }

  /**
   * Takes the first part. Those of larger frames may not fill the share of beginnings, so that
   * small frames find a place, and the smallest need none: a connection takes more than they do.
   */
  private void begin(ChannelHandlerContext ctx, int wanted) {
    int first = Math.min(wanted, Rank.SMALL_BYTES);
    if (wanted <= UNCOUNTED_BYTES) {
      reserve(ctx, first, Rank.SMALL, first);
      return;
    }
    Rank rank = first == wanted ? Rank.SMALL : Rank.MEDIUM;
    Runnable then =
        () -> {
          begun = first;
          reserve(ctx, first, Rank.SMALL, first);
        };
    take(ctx, MemoryUse.FRAME_BEGINNINGS, first, rank, then);
  }

  /** Goes on with a buffer of this capacity once {@code bytes} more are reserved. */
  private void reserve(ChannelHandlerContext ctx, long bytes, Rank rank, int capacity) {
    take(ctx, MemoryUse.REQUESTS, bytes, rank, () -> grow(ctx, bytes, capacity));
  }

  /** Goes on when bytes are granted: at once where no request of the rank waits, else in turn. */
  private void take(
      ChannelHandlerContext ctx, MemoryUse use, long bytes, Rank rank, Runnable then) {
    if (!account.isContended(use, rank)
        && account.tryReserve(use, connection.memoryPeer(), bytes, rank)) {
      then.run();
      return;
    }
    connection.stopReading(NettyConnection.AWAITS_MEMORY);
    awaited = use;
    waitNanos = Env.nanos();
    watch(ctx);
    waiter = this; // until there is a real one: the grant may come first, but runs later
    waiter =
        account.await(
            use,
            connection.memoryPeer(),
            bytes,
            rank,
            () -> ctx.executor().execute(() -> granted(ctx, use, bytes, then)));
  }

  private void granted(ChannelHandlerContext ctx, MemoryUse use, long bytes, Runnable then) {
    waiter = null;
    if (stopped) {
      account.release(use, connection.memoryPeer(), bytes);
      return;
    }
    try {
      then.run();
      decode(ctx);
    } catch (RuntimeException | Error e) {
      ctx.fireExceptionCaught(e); // as from channelRead, whose caller would do it
      return;
    }
    if (waiter == null) {
      connection.resumeReading(NettyConnection.AWAITS_MEMORY);
    }
  }

  private void grow(ChannelHandlerContext ctx, long bytes, int capacity) {
    reserved += bytes;
    if (partial != null) {
      releaseBegun(); // all of the frame is granted
    }
    ByteBuf larger = ctx.alloc().directBuffer(capacity, capacity);
    if (partial != null) {
      larger.writeBytes(partial);
      partial.release();
    }
    partial = larger;
    progress.begin();
    watch(ctx);
  }

  private void watch(ChannelHandlerContext ctx) {
    if (nextCheck == null) {
      schedule(ctx);
    }
  }

  private void schedule(ChannelHandlerContext ctx) {
    nextCheck = connection.checks().later(ctx.executor(), () -> check(ctx));
  }

  /** Ends the connection of a frame that does not come on. */
  private void check(ChannelHandlerContext ctx) {
    nextCheck = null;
    if (stopped || (partial == null && waiter == null)) {
      return;
    }
    if (waiter != null) {
      checkWait(ctx);
      return;
    }
    boolean memoryShort =
        account.isPressed() || (begun > 0 && account.isContended(MemoryUse.FRAME_BEGINNINGS));
    switch (progress.check(memoryShort)) {
      case MOVING -> schedule(ctx);
      case STOPPED -> end(ctx, "sent nothing of it for " + progress.timeoutMillis() + " ms");
      case SLOW -> end(ctx, "is slow while direct memory is short");
    }
  }

  /** The frame waits for us, but not for ever: what it has may be what others wait for. */
  private void checkWait(ChannelHandlerContext ctx) {
    long waited = Env.nanos() - waitNanos;
    if (waited < TimeUnit.MILLISECONDS.toNanos(progress.timeoutMillis())) {
      schedule(ctx);
    } else if (partial != null) {
      end(ctx, "found no memory for the rest in " + progress.timeoutMillis() + " ms");
    } else {
      LOG.info(
          "connection from {} ends: its request of {} bytes found no memory to begin with in {} ms",
          connection,
          length,
          progress.timeoutMillis());
      close(ctx);
    }
  }

  /** Ends the connection of a frame that has begun. */
  private void end(ChannelHandlerContext ctx, String why) {
    LOG.info(
        "connection from {} ends: it has sent {} of a request of {} bytes and {}",
        connection,
        partial.readableBytes(),
        length,
        why);
    close(ctx);
  }

  private void close(ChannelHandlerContext ctx) {
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
    releaseBegun();
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

  private void releaseBegun() {
    account.release(MemoryUse.FRAME_BEGINNINGS, connection.memoryPeer(), begun);
    begun = 0;
  }

  private void discardPartial() {
    releaseBegun();
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
