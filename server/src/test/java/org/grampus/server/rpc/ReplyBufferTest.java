package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplyBufferTest {
  private static final int HEAD_BYTES = 128;

  /** As the room of an allocator's buffer shows: what it has without being copied. */
  private static int room(ByteBuf buffer) {
    return buffer.unwrap() == null ? buffer.maxFastWritableBytes() : room(buffer.unwrap());
  }

  @Test
  void aReplyDoesNotKeepTheRoomOfALargeOne() {
    for (int capacity : List.of(32 << 10, 64 << 10, 512 << 10, 4 << 20)) {
      for (int bytes : List.of(1, 300, capacity / 3, capacity / 2 + 1000, capacity - HEAD_BYTES)) {
        ByteBuf reply = PooledByteBufAllocator.DEFAULT.directBuffer(capacity);
        reply.setIndex(HEAD_BYTES, HEAD_BYTES);
        byte[] cells = new byte[bytes];
        new Random(bytes).nextBytes(cells);
        reply.writeBytes(cells);
        ReplyBuffer.fit(reply);

        assertTrue(room(reply) <= HEAD_BYTES + bytes, () -> room(reply) + " bytes of room");
        assertEquals(HEAD_BYTES, reply.readerIndex());
        assertArrayEquals(cells, ByteBufUtil.getBytes(reply));
        assertTrue(reply.release());
      }
    }
  }

  @Test
  void aSmallOneStaysAsItIs() {
    ByteBuf reply = UnpooledByteBufAllocator.DEFAULT.directBuffer(4096);
    reply.writeByte(1);
    ReplyBuffer.fit(reply);
    assertEquals(4096, reply.capacity());
    assertTrue(reply.release());
  }
}
