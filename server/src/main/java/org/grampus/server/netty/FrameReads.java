package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Where a connection's bytes are read to: straight into the frame that is being received when its
 * memory has been granted, else into buffers of Netty's choice. After a read into a frame the other
 * connections of the event loop have theirs. Netty would read on, up to 64 times, as long as reads
 * fill their buffers; here it is told that they do not, and hears of the rest from epoll.
 */
@SuppressWarnings("deprecation") // Netty's own interface for this
final class FrameReads extends AdaptiveRecvByteBufAllocator {
  private final FrameDecoder decoder;

  FrameReads(FrameDecoder decoder) {
    this.decoder = decoder;
  }

  @Override
  public RecvByteBufAllocator.Handle newHandle() {
    return new FrameHandle(super.newHandle());
  }

  private final class FrameHandle extends RecvByteBufAllocator.DelegatingHandle
      implements RecvByteBufAllocator.ExtendedHandle {
    private boolean intoFrame;

    FrameHandle(RecvByteBufAllocator.Handle delegate) {
      super(delegate);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      ByteBuf room = decoder.room();
      intoFrame = room != null;
      return intoFrame ? room : super.allocate(allocator);
    }

    @Override
    public int attemptedBytesRead() {
      return intoFrame ? lastBytesRead() + 1 : super.attemptedBytesRead();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return ((RecvByteBufAllocator.ExtendedHandle) delegate()).continueReading(maybeMore);
    }
  }
}
