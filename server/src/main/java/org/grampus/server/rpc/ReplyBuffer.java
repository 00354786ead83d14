package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;

/** Buffers of replies that wait for their peers. */
final class ReplyBuffer {
  /** Of a smaller one a copy would cost more than its room is worth. */
  private static final int FITTED_BYTES = 8 << 10;

  private ReplyBuffer() {}

  /**
   * Gives back the room behind a reply where it is more than a half. What waits for its peer is
   * counted by its bytes, and a peer that does not read may have thousands of them. The allocator
   * copies the bytes to a smaller buffer then, and else leaves the buffer as it is.
   */
  static void fit(ByteBuf reply) {
    if (reply.capacity() > FITTED_BYTES) {
      reply.capacity(reply.writerIndex());
    }
  }
}
