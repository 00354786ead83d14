package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Where a connection's bytes are read to: straight into the frame that is being received when its
 * memory has been granted, else into buffers of Netty's choice.
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
    FrameHandle(RecvByteBufAllocator.Handle delegate) {
      super(delegate);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      ByteBuf room = decoder.room();
      return room != null ? room : super.allocate(allocator);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return ((RecvByteBufAllocator.ExtendedHandle) delegate()).continueReading(maybeMore);
    }
  }
}
