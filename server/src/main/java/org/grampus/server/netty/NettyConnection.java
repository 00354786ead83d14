package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.grampus.compat.protocol.ConnectionProfile;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.rpc.ClientWork;
import org.grampus.server.rpc.Connection;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.RpcService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection: its channel, what its header says, and the account of what its peer has
 * not read yet. Replies may be sent from any thread; everything else belongs to the event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // failures of writes and closes arrive as channelInactive
final class NettyConnection implements Connection {
  /** Reasons for which the connection is not read. */
  static final int UNWRITABLE = 1;

  static final int AWAITS_MEMORY = 2;
  private static final int PRESSED = 4;

  private static final Logger LOG = LoggerFactory.getLogger(NettyConnection.class);
  private static final long LINGER_MILLIS = 2_000;

  /** Unsent bytes at which a connection is read no further while memory is short. */
  private static final int PRESSED_UNSENT_BYTES = 256 << 10;

  /** Objects of a connection and of its channel. */
  private static final int HEAP_BYTES = 6 << 10;

  private final Channel channel;
  private final MemoryAccount account;
  private final MemoryPeer memoryPeer;
  private final ClientWork work;
  private final PeerProgress progress;
  private final PeerChecks checks;
  private final EventLoop loop;
  private final String peer;
  private final InetAddress address;
  private final Runnable flush;
  private ConnectionProfile profile;
  private RpcService service;
  private boolean flushScheduled;
  private boolean closing;
  private int readStops;

  /**
   * Bytes in the channel that the account knows of, and bytes that calls have reserved for them.
   */
  private long unsent;

  private long handedOver;

  /** The next check of what the peer reads; null while nothing is unread. */
  private PeerChecks.Check nextCheck;

  /** Bytes that went to the channel, and how many of them the peer had read at the last check. */
  private long queuedBytes;

  private long lastReadBytes;

  NettyConnection(
      Channel channel,
      Dispatcher dispatcher,
      MemoryPeer memoryPeer,
      PeerChecks checks,
      long replyTimeout) {
    this.channel = channel;
    this.account = dispatcher.account();
    this.memoryPeer = memoryPeer;
    this.progress = new PeerProgress(replyTimeout);
    this.checks = checks;
    account.force(MemoryUse.CONNECTIONS, memoryPeer, HEAP_BYTES);
    channel.closeFuture().addListener(closed -> ended());
    this.loop = channel.eventLoop();
    boolean inet = channel.remoteAddress() instanceof InetSocketAddress;
    InetSocketAddress remote = inet ? (InetSocketAddress) channel.remoteAddress() : null;
    this.address = remote == null ? null : remote.getAddress();
    this.peer =
        address == null
            ? String.valueOf(channel.remoteAddress())
            : address.getHostAddress() + ":" + remote.getPort();
    this.work = dispatcher.begin(address);
    this.flush =
        () -> {
          flushScheduled = false;
          channel.flush();
          measure();
        };
  }

  void established(ConnectionProfile agreed, RpcService named) {
    profile = agreed;
    service = named;
  }

  /** The timer of later checks of the peer. */
  PeerChecks checks() {
    return checks;
  }

  @Override
  public ConnectionProfile profile() {
    return profile;
  }

  @Override
  public RpcService service() {
    return service;
  }

  /** What the connection's memory is counted in. */
  MemoryAccount account() {
    return account;
  }

  @Override
  public MemoryPeer memoryPeer() {
    return memoryPeer;
  }

  @Override
  public ClientWork work() {
    return work;
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public InetAddress address() {
    return address;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public ByteBufAllocator allocator() {
    return channel.alloc();
  }

  @Override
  public boolean isOpen() {
    return channel.isActive();
  }

  /** Frames written in one turn of the event loop leave in one gathered write. */
  @Override
  public void send(ByteBuf head, ByteBuf body, long reserved) {
    if (loop.inEventLoop()) {
      write(head, body, reserved);
      return;
    }
    try {
      loop.execute(() -> write(head, body, reserved));
    } catch (RejectedExecutionException e) {
      release(head, body); // the loop has ended, and with it the connection
      account.release(MemoryUse.REPLIES, memoryPeer, reserved);
    }
  }

  private void write(ByteBuf head, ByteBuf body, long reserved) {
    if (closing || !channel.isActive()) {
      release(head, body);
      account.release(MemoryUse.REPLIES, memoryPeer, reserved);
      return;
    }
    queuedBytes += head.readableBytes();
    channel.write(head, channel.voidPromise());
    if (body != null) {
      queuedBytes += body.readableBytes();
      channel.write(body, channel.voidPromise());
    }
    handedOver += reserved;
    if (!flushScheduled) {
      flushScheduled = true;
      loop.execute(flush);
    }
  }

  /** Counts what the channel could not send; from here on it stands for what calls reserved. */
  private void measure() {
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    long pending = out == null ? 0 : out.totalPendingWriteBytes();
    if (pending > unsent) {
      account.force(MemoryUse.REPLIES, memoryPeer, pending - unsent);
    } else {
      account.release(MemoryUse.REPLIES, memoryPeer, unsent - pending);
    }
    unsent = pending;
    account.release(MemoryUse.REPLIES, memoryPeer, handedOver);
    handedOver = 0;
    if (pending > 0) {
      watch();
    }
    if (pending > PRESSED_UNSENT_BYTES && account.isPressed()) {
      stopReading(PRESSED);
    } else if ((readStops & PRESSED) != 0) {
      resumeReading(PRESSED);
    }
  }

  private void watch() {
    if (nextCheck == null) {
      lastReadBytes = queuedBytes - unsent;
      progress.begin();
      schedule();
    }
  }

  private void schedule() {
    nextCheck = checks.later(loop, this::check);
  }

  /** Ends a connection whose peer does not read. */
  private void check() {
    measure(); // still watched, so that it does not begin anew
    if (unsent == 0) {
      nextCheck = null;
      return;
    }
    long readBytes = queuedBytes - unsent;
    progress.moved(readBytes - lastReadBytes);
    lastReadBytes = readBytes;
    switch (progress.check(account.isPressed())) {
      case MOVING -> schedule();
      case STOPPED -> end("has read nothing for " + progress.timeoutMillis() + " ms");
      case SLOW -> end("reads slowly while direct memory is short");
    }
  }

  /** Lets time pass, for tests: what was just read is older by it. */
  void passed(long nanos) {
    progress.passed(nanos);
  }

  private void end(String why) {
    LOG.info(
        "connection from {} ends: {} bytes of replies wait, and the client {}", peer, unsent, why);
    channel.close();
  }

  /** Gives back what the account knows of; the channel has released its buffers. */
  private void ended() {
    account.release(MemoryUse.REPLIES, memoryPeer, unsent + handedOver);
    account.release(MemoryUse.CONNECTIONS, memoryPeer, HEAP_BYTES);
    unsent = 0;
    handedOver = 0;
    if (nextCheck != null) {
      nextCheck.cancel();
    }
  }

  /** Reads no further for a reason. Event loop only. */
  void stopReading(int reason) {
    readStops |= reason;
    channel.config().setAutoRead(false);
  }

  /** Reads on, unless there is another reason not to. Event loop only. */
  void resumeReading(int reason) {
    readStops &= ~reason;
    if (readStops == 0) {
      channel.config().setAutoRead(true);
    }
  }

  private static void release(ByteBuf head, ByteBuf body) {
    head.release();
    if (body != null) {
      body.release();
    }
  }

  /**
   * Sends a last frame and then ends the connection. What the client still sends is read and
   * ignored for a moment, for a reset would take the frame away from it. A client that does not
   * read the frame, or the replies before it, has the time of any reply. Event loop only.
   */
  void sendAndClose(ByteBuf frame) {
    closing = true;
    queuedBytes += frame.readableBytes();
    channel
        .writeAndFlush(frame)
        .addListener(
            written -> {
              if (written.isSuccess() && channel instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
                loop.schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
              } else {
                channel.close();
              }
            });
    measure();
  }

  /** Whether a last frame has been sent. Event loop only. */
  boolean isClosing() {
    return closing;
  }

  /** Closes the connection; any thread. */
  void close() {
    channel.close();
  }

  @Override
  public String toString() {
    return peer;
  }
}
