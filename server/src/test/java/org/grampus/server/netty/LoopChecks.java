package org.grampus.server.netty;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;

/** Checks of peers as timers of their event loop, whose time a test of an embedded channel sets. */
final class LoopChecks extends PeerChecks {
  @Override
  void later(EventExecutor loop, Runnable check) {
    var unused = loop.schedule(check, PeerProgress.CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }
}
