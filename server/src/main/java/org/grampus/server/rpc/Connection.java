package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import org.grampus.compat.protocol.ConnectionProfile;
import org.grampus.server.memory.MemoryPeer;

/**
 * One client connection as its calls see it; the transport implements it. Replies may be sent, and
 * {@link #isOpen} asked, from any thread; what the header says is set before the first call.
 */
public interface Connection {
  /** What the connection header says; null before it. */
  ConnectionProfile profile();

  /** The service that the header names. */
  RpcService service();

  /** The address for which the connection's memory is counted. */
  MemoryPeer memoryPeer();

  /** The record of its calls' processor time. */
  ClientWork work();

  /** Host and port of the client. */
  String peer();

  /** Address of the client, or null when it has none. */
  InetAddress address();

  /** The event loop on which the connection lives. */
  EventLoop loop();

  /** The allocator for replies. */
  ByteBufAllocator allocator();

  /** Whether a reply can still reach the client. */
  boolean isOpen();

  /**
   * Sends a frame and takes over its buffers, which are released whatever happens.
   *
   * @param head the frame, or its first part
   * @param body the second part, or null
   * @param reserved bytes that are reserved for the reply, which go over to the connection
   */
  void send(ByteBuf head, ByteBuf body, long reserved);

  /** Sends a small frame, for which nothing is reserved. */
  default void send(ByteBuf frame) {
    send(frame, null, 0);
  }
}
