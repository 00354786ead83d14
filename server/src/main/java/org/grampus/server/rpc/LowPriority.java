package org.grampus.server.rpc;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.grampus.engine.NativeThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The priority of threads that do heavy work, below that of all others. */
public final class LowPriority {
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

  /**
   * The threads that compile what Java runs give way too: code that a client has been the first to
   * ask for may take a second of theirs. Nothing changes where there are none, or where they have a
   * lower priority already.
   */
  public static void giveToCompilers() {
    try {
      var unused = NativeThreads.giveWay("C2 Compiler", NICENESS);
    } catch (IOException e) {
      LOG.warn("the compiler's threads keep their priority", e);
    }
  }
}
