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
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private LowPriority() {}

  /** The calling thread gives way to others from now on, where the system can do that. */
  static void take() {
    if (!NativeThreads.giveWay(NICENESS)) {
      sayThatThereIsNone();
    }
  }

  /**
   * The threads that compile what Java runs give way too: code that a client has been the first to
   * ask for may take a second of theirs.
   */
  public static void giveToCompilers() {
    try {
      if (NativeThreads.giveWay("C2 Compiler", NICENESS) == 0) {
        sayThatThereIsNone();
      }
    } catch (IOException e) {
      LOG.warn("the compiler's threads keep their priority", e);
    }
  }

  private static void sayThatThereIsNone() {
    if (SAID.compareAndSet(false, true)) {
      LOG.info("this system has no priorities of threads: heavy work runs beside light work");
    }
  }
}
