package org.grampus.server.rpc;

import io.netty.channel.EventLoop;

/** Something that waits for a write to be durable. */
public interface Completion {
  /** The event loop on which to go on. */
  EventLoop loop();

  /** The write is durable; on the event loop. */
  void durable();

  /** The write must not be acknowledged; on the event loop. */
  void lost(Throwable error);
}
