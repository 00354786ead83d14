package org.grampus.server.netty;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;

/** Checks of peers as timers of their event loop, whose time a test of an embedded channel sets. */
final class LoopChecks extends PeerChecks {
  @Override
  Check later(EventExecutor loop, Runnable task) {
    Check check = new Check(task);
    var unused = loop.schedule(check::run, PeerProgress.CHECK_MILLIS, TimeUnit.MILLISECONDS);
    return check;
  }
}
