package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Where a connection's bytes are read to: straight into the frame that is being received when its
 * memory has been granted, else into buffers of Netty's choice.
 *
 * <p>After a read into a frame, or of the rest of a refused one, the other connections of the event
 * loop have their turn. With edge-triggered epoll Netty queues another read as long as the last one
 * brought bytes, and runs up to 64 queued tasks, or more while they take no longer than the reads
 * before them, until it polls again. Channels are level-triggered, so a read that reports that it
 * did not fill its buffer ends the connection's turn, and epoll reports the rest in the next one.
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
    private boolean endsTurn;
    private boolean wasRead;

    FrameHandle(RecvByteBufAllocator.Handle delegate) {
      super(delegate);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      ByteBuf room = decoder.room();
      endsTurn = room != null || decoder.isSkipping();
      return room != null ? room : super.allocate(allocator);
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      wasRead = false;
      super.attemptedBytesRead(bytes);
    }

    @Override
    public void lastBytesRead(int bytes) {
      super.lastBytesRead(bytes);
      wasRead = true;
    }

    /** Before a read it is the room, which the NIO transport asks for; afterwards a little more. */
    @Override
    public int attemptedBytesRead() {
      return endsTurn && wasRead ? lastBytesRead() + 1 : super.attemptedBytesRead();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return ((RecvByteBufAllocator.ExtendedHandle) delegate()).continueReading(maybeMore);
    }
  }
}
