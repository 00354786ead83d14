package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.grampus.compat.protocol.ConnectionProfile;
import org.grampus.server.rpc.RpcService;

/**
 * One client connection: its channel and what its header settled. Replies may be sent from any
 * thread; everything else belongs to the event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // failures of writes and closes arrive as channelInactive
public final class Connection {
  private static final long LINGER_MILLIS = 2_000;

  private final Channel channel;
  private final EventLoop loop;
  private final String peer;
  private final InetAddress address;
  private final Runnable flush;
  private ConnectionProfile profile;
  private RpcService service;
  private boolean flushScheduled;
  private boolean closing;

  Connection(Channel channel) {
    this.channel = channel;
    this.loop = channel.eventLoop();
    boolean inet = channel.remoteAddress() instanceof InetSocketAddress;
    InetSocketAddress remote = inet ? (InetSocketAddress) channel.remoteAddress() : null;
    this.address = remote == null ? null : remote.getAddress();
    this.peer =
        address == null
            ? String.valueOf(channel.remoteAddress())
            : address.getHostAddress() + ":" + remote.getPort();
    this.flush =
        () -> {
          flushScheduled = false;
          channel.flush();
        };
  }

  void established(ConnectionProfile agreed, RpcService named) {
    profile = agreed;
    service = named;
  }

  /** What the connection header settled; null before it. */
  public ConnectionProfile profile() {
    return profile;
  }

  /** The service that the header names. */
  public RpcService service() {
    return service;
  }

  /** Host and port of the client. */
  public String peer() {
    return peer;
  }

  /** Address of the client, or null when it has none. */
  public InetAddress address() {
    return address;
  }

  /** The event loop on which the connection lives. */
  public EventLoop loop() {
    return loop;
  }

  /** The allocator for replies. */
  public ByteBufAllocator allocator() {
    return channel.alloc();
  }

  /** Whether a reply can still reach the client. */
  public boolean isOpen() {
    return channel.isActive();
  }

  /**
   * Sends a frame and takes over its buffers, which are released whatever happens. Frames written
   * in one turn of the event loop leave in one gathered write.
   *
   * @param head the frame, or its first part
   * @param body the second part, or null
   */
  public void send(ByteBuf head, ByteBuf body) {
    if (loop.inEventLoop()) {
      write(head, body);
      return;
    }
    try {
      loop.execute(() -> write(head, body));
    } catch (RejectedExecutionException e) {
      release(head, body); // the loop has ended, and with it the connection
    }
  }

  private void write(ByteBuf head, ByteBuf body) {
    if (closing || !channel.isActive()) {
      release(head, body);
      return;
    }
    channel.write(head, channel.voidPromise());
    if (body != null) {
      channel.write(body, channel.voidPromise());
    }
    if (!flushScheduled) {
      flushScheduled = true;
      loop.execute(flush);
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
   * ignored for a moment, for a reset would take the frame away from it. Event loop only.
   */
  void sendAndClose(ByteBuf frame) {
    closing = true;
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
  }

  /** Whether a last frame has been sent. Event loop only. */
  boolean isClosing() {
    return closing;
  }

  /** Closes the connection; any thread. */
  public void close() {
    channel.close();
  }

  @Override
  public String toString() {
    return peer;
  }
}
