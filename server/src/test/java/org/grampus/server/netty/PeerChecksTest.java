package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.EventExecutor;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerChecksTest {
  private static final long NO_TIMER = -1;
  private static final int WAIT_MILLIS = 60_000;

  /** Preamble, the length of a connection header, and a part of the header. */
  private static final byte[] BEGINNING =
      "HBas\0P\0\0\1\0begun".getBytes(StandardCharsets.ISO_8859_1);

  /** Runs tasks on a loop, and waits for them. */
  private static void onLoop(EventExecutor loop, Runnable task) throws Exception {
    loop.submit(task).get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Test
  void aCheckRunsOnItsLoopAfterItsTimeUnlessItWasCancelled() throws Exception {
    DefaultEventLoop loop = new DefaultEventLoop();
    CompletableFuture<Boolean> onLoop = new CompletableFuture<>();
    AtomicBoolean cancelledRan = new AtomicBoolean();
    long begun = System.nanoTime();
    try (PeerChecks checks = new PeerChecks()) {
      onLoop(
          loop,
          () -> {
            checks.later(loop, () -> cancelledRan.set(true)).cancel();
            checks.later(loop, () -> onLoop.complete(loop.inEventLoop()));
          });
      assertTrue(onLoop.get(WAIT_MILLIS, TimeUnit.MILLISECONDS));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis >= PeerProgress.CHECK_MILLIS, millis + " ms");
      assertFalse(cancelledRan.get(), "it was due before the other one");
    } finally {
      loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).await(WAIT_MILLIS);
    }
  }

  @Test
  void aCheckThatFailsTakesNoOtherWithIt() throws Exception {
    DefaultEventLoop loop = new DefaultEventLoop();
    CompletableFuture<Void> first = new CompletableFuture<>();
    CompletableFuture<Void> second = new CompletableFuture<>();
    try (PeerChecks checks = new PeerChecks()) {
      onLoop(
          loop,
          () -> {
            checks.later(
                loop,
                () -> {
                  checks.later(loop, () -> second.complete(null));
                  throw new IllegalStateException("a defect of a check, for a test");
                });
            checks.later(loop, () -> first.complete(null));
          });
      first.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
      second.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } finally {
      loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).await(WAIT_MILLIS);
    }
  }

  @Test
  void aFrameThatIsNotWholeIsCheckedWithoutATimerOfItsLoop() {
    List<Runnable> pending = new ArrayList<>();
    PeerChecks collected =
        new PeerChecks() {
          @Override
          Check later(EventExecutor loop, Runnable task) {
            pending.add(task);
            return new Check(task);
          }
        };
    Dispatcher dispatcher = new Dispatcher(RpcServerConfig.from(new Configuration(false)));
    EmbeddedChannel channel = new EmbeddedChannel();
    try (collected;
        dispatcher) {
      dispatcher.start();
      NettyTransport.initialize(
          channel,
          new MemoryPeers(10).enter(null),
          RpcServerConfig.from(new Configuration(false)),
          new ServiceRegistry(),
          () -> "id",
          dispatcher,
          collected);
      channel.writeInbound(Unpooled.directBuffer().writeBytes(BEGINNING));
      assertEquals(1, pending.size());
      channel.pipeline().get(RequestHandler.class).cancelHandshakeTimer();
      assertEquals(NO_TIMER, channel.runScheduledPendingTasks());
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerEndsTheConnectionOfAFrameThatDoesNotComeOn(boolean epoll) throws Exception {
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.regionserver.port", 0);
    conf.setInt("grampus.rpc.frame.timeout.ms", 1_500);
    conf.setInt("grampus.rpc.handshake.timeout.ms", 10 * WAIT_MILLIS);
    conf.setBoolean("hbase.netty.nativetransport", epoll);
    Set<Thread> started = clocks();
    Set<Thread> before = Set.copyOf(started);
    RpcServer server = new RpcServer(RpcServerConfig.from(conf), new ServiceRegistry());
    try (server) {
      server.start();
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.setSoTimeout(WAIT_MILLIS);
        new DataOutputStream(socket.getOutputStream()).write(BEGINNING);
        assertEquals(-1, readOrReset(socket));
        started.addAll(clocks());
      }
    }
    started.removeAll(before);
    assertFalse(started.isEmpty(), "a server that checks peers has a clock");
    for (Thread clock : started) {
      clock.join(WAIT_MILLIS);
      assertFalse(clock.isAlive(), "the clock has outlived its server");
    }
  }

  /** A connection that is closed with bytes unread is reset. */
  private static int readOrReset(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException e) {
      return -1;
    }
  }

  private static Set<Thread> clocks() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("peer-checks"))
        .collect(Collectors.toSet());
  }
}
