package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.grampus.compat.protocol.Frames;

/**
 * Cuts the byte stream into frames and passes each on without its length, as a buffer that the next
 * handler owns. A frame that lies whole in what was read is a slice of it; a larger one is copied
 * once into a buffer that grows with what has really arrived, so that a length alone costs no
 * memory. A frame above the limit becomes an {@link OversizedFrame}, after which the stream is
 * ignored.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {
  private static final int FIRST_CAPACITY = 64 * 1024;

  /** As much of an oversized frame as names its call: the header comes first. */
  private static final int OVERSIZED_HEAD_BYTES = 64 * 1024;

  /** A frame above the limit: its length and the first bytes, which the receiver releases. */
  record OversizedFrame(long length, ByteBuf head) {}

  private int maxFrameBytes;
  private int lengthBytes;
  private long length;
  private ByteBuf partial;
  private boolean oversized;
  private boolean stopped;

  FrameDecoder(int maxFrameBytes) {
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Sets the limit for the frames that follow. */
  void maxFrameBytes(int limit) {
    maxFrameBytes = limit;
  }

  /** Ignores everything that still comes. */
  void stop() {
    stopped = true;
    discardPartial();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable() && !stopped) {
        if (lengthBytes < Frames.LENGTH_BYTES) {
          readLength(in);
        } else {
          readBody(ctx, in);
        }
        if (lengthBytes == Frames.LENGTH_BYTES && length == 0 && !stopped) {
          emit(ctx, in.alloc().directBuffer(0, 0));
        }
      }
    } finally {
      in.release();
    }
  }

  private void readLength(ByteBuf in) {
    if (lengthBytes == 0 && in.readableBytes() >= Frames.LENGTH_BYTES) {
      length = in.readUnsignedInt();
      lengthBytes = Frames.LENGTH_BYTES;
    } else {
      length = (length << Byte.SIZE) | in.readUnsignedByte();
      lengthBytes++;
    }
    if (lengthBytes == Frames.LENGTH_BYTES) {
      oversized = length > maxFrameBytes;
    }
  }

  private void readBody(ChannelHandlerContext ctx, ByteBuf in) {
    int wanted = (int) (oversized ? Math.min(length, OVERSIZED_HEAD_BYTES) : length);
    if (partial == null && in.readableBytes() >= wanted) {
      emit(ctx, in.readRetainedSlice(wanted));
      return;
    }
    if (partial == null) {
      partial = in.alloc().directBuffer(Math.min(wanted, FIRST_CAPACITY), wanted);
    }
    int take = Math.min(in.readableBytes(), wanted - partial.readableBytes());
    grow(partial, partial.readableBytes() + take, wanted);
    partial.writeBytes(in, take);
    if (partial.readableBytes() == wanted) {
      ByteBuf frame = partial;
      partial = null;
      emit(ctx, frame);
    }
  }

  private static void grow(ByteBuf buffer, int needed, int limit) {
    if (needed > buffer.capacity()) {
      buffer.capacity((int) Math.min(limit, Math.max(needed, 2L * buffer.capacity())));
    }
  }

  private void emit(ChannelHandlerContext ctx, ByteBuf frame) {
    boolean tooLarge = oversized;
    long frameLength = length;
    lengthBytes = 0;
    length = 0;
    oversized = false;
    if (tooLarge) {
      stopped = true;
      ctx.fireChannelRead(new OversizedFrame(frameLength, frame));
    } else {
      ctx.fireChannelRead(frame);
    }
  }

  private void discardPartial() {
    if (partial != null) {
      partial.release();
      partial = null;
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    discardPartial();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    stop();
    ctx.fireChannelInactive();
  }
}
