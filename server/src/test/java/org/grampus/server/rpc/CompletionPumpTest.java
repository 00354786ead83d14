package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.grampus.engine.CompletionEntries;
import org.junit.jupiter.api.Test;

class CompletionPumpTest {
  /** All completions of a table in one batch, once there are some. */
  private static final class OneBatch implements CompletionSource {
    private long[] tokens;

    @Override
    public int pollCompletions(CompletionEntries out, long timeoutMillis) {
      if (tokens == null) {
        return -1;
      }
      for (int i = 0; i < tokens.length; i++) {
        out.set(i, tokens[i], CompletionEntries.DURABLE);
      }
      int count = tokens.length;
      tokens = null;
      return count;
    }

    @Override
    public int takeOverflow(long token, ByteBuffer out) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String logFailure() {
      return null;
    }
  }

  private record Waiting(EventLoop loop, Runnable then) implements Completion {
    @Override
    public void durable() {
      then.run();
    }

    @Override
    public void lost(Throwable error) {}
  }

  @Test
  void anErrorInOneCompletionLeavesTheOthersOfItsBatchAlone() throws InterruptedException {
    DefaultEventLoopGroup loops = new DefaultEventLoopGroup(1);
    OneBatch source = new OneBatch();
    AtomicReference<Throwable> fatal = new AtomicReference<>();
    CountDownLatch reached = new CountDownLatch(1);
    try (CompletionPump pump = new CompletionPump(source, fatal::set)) {
      EventLoop loop = loops.next();
      Completion broken =
          new Waiting(
              loop,
              () -> {
                throw new LinkageError("of the test");
              });
      source.tokens =
          new long[] {
            pump.tokens().register(broken),
            pump.tokens().register(new Waiting(loop, reached::countDown))
          };
      pump.start();
      assertTrue(reached.await(10, TimeUnit.SECONDS), "the second completion");
    } finally {
      loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
