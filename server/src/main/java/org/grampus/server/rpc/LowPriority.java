package org.grampus.server.rpc;

import java.util.concurrent.atomic.AtomicBoolean;
import org.grampus.engine.NativeThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The priority of threads that do heavy work, below that of all others. */
final class LowPriority {
  /** About a tenth of what an ordinary thread gets of a processor that both want. */
  private static final int NICENESS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(LowPriority.class);
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private LowPriority() {}

  /** The calling thread gives way to others from now on, where the system can do that. */
  static void take() {
    if (!NativeThreads.giveWay(NICENESS) && WARNED.compareAndSet(false, true)) {
      LOG.warn("the priority of heavy handlers could not be lowered; they compete with the others");
    }
  }
}
