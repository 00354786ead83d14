package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeerChecksTest {
  private static final long NO_TIMER = -1;

  @Test
  void aCheckRunsOnItsEventLoop() throws Exception {
    DefaultEventLoop loop = new DefaultEventLoop();
    CompletableFuture<Boolean> onLoop = new CompletableFuture<>();
    try (PeerChecks checks = new PeerChecks()) {
      checks.later(loop, () -> onLoop.complete(loop.inEventLoop()));
      assertTrue(onLoop.get(1, TimeUnit.MINUTES));
    } finally {
      loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).await(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void theEventLoopHasNoTimerOfACheck() {
    EmbeddedChannel channel = new EmbeddedChannel();
    try (PeerChecks checks = new PeerChecks()) {
      checks.later(channel.eventLoop(), () -> {});
      assertEquals(NO_TIMER, channel.runScheduledPendingTasks());
    }
    channel.finishAndReleaseAll();
  }

  @Test
  void nothingIsCheckedAfterTheEnd() {
    EmbeddedChannel channel = new EmbeddedChannel();
    PeerChecks checks = new PeerChecks();
    checks.close();
    checks.later(channel.eventLoop(), () -> {});
    checks.close();
    channel.finishAndReleaseAll();
  }
}
