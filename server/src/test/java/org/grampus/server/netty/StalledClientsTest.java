package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.junit.jupiter.api.Test;

/** What replies may take whose peers do not read them. */
class StalledClientsTest extends HostileTest {
  @Test
  void repliesThatAreNotReadAreCountedAndTheNextAreRefused() throws IOException {
    service.replyBytes = 10 * MB;
    EmbeddedChannel channel = connect(new StalledChannel(), mallory, null);
    byte[] call = frame(emptyActions(1), new byte[0]);
    ByteBuf calls = Unpooled.directBuffer();
    for (int i = 0; i < 10; i++) {
      calls.writeInt(call.length).writeBytes(call);
    }
    send(channel, calls);
    assertFalse(channel.config().isAutoRead());
    assertTrue(account.used(MemoryUse.REPLIES) >= 30 * MB, "those that wait are counted");
    assertTrue(account.used(MemoryUse.REPLIES) <= DIRECT_BYTES / 2 + 11 * MB, "and bounded");
    assertTrue(account.refusedCount() > 0);
    service.replyBytes = 0;
    EmbeddedChannel neighbour = connect(good, null);
    send(neighbour, withLength(call));
    assertFalse(reply(neighbour).hasException());
    close(neighbour, channel);
  }

  @Test
  void aPeerThatDoesNotReadItsRepliesLosesItsConnection() throws IOException {
    service.replyBytes = MB;
    EmbeddedChannel channel = connect(new StalledChannel(), mallory, null);
    send(channel, withLength(frame(emptyActions(1), new byte[0])));
    assertEndsAfter(REPLY_TIMEOUT_MILLIS, channel);
    close(channel);
  }

  @Test
  void aRefusedConnectionWhosePeerDoesNotReadEnds() throws IOException {
    service.replyBytes = MB;
    EmbeddedChannel behindReplies = connect(new StalledChannel(), mallory, null);
    send(behindReplies, withLength(frame(emptyActions(1), new byte[0])));
    EmbeddedChannel alone = connect(new StalledChannel(), mallory, null);
    for (EmbeddedChannel channel : new EmbeddedChannel[] {behindReplies, alone}) {
      ByteBuf oversized = Unpooled.directBuffer().writeInt(Integer.MAX_VALUE);
      send(channel, oversized.writeBytes(frame(emptyActions(1), new byte[Rank.SMALL_BYTES])));
      assertTrue(channel.isActive());
      for (int second = 0; second < REPLY_TIMEOUT_MILLIS / 1000 + 2; second++) {
        advance(channel);
      }
      assertFalse(channel.isActive());
    }
    close(behindReplies, alone);
  }

  /** A channel whose peer does not read: what is flushed stays. */
  private static final class StalledChannel extends EmbeddedChannel {
    @Override
    protected void doWrite(io.netty.channel.ChannelOutboundBuffer in) {}
  }
}
