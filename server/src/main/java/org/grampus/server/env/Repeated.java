package org.grampus.server.env;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that a thread of the server does again and again. A run that throws is said in the log and
 * ends itself alone: a thread or a scheduled task that ended by it would be missing until the next
 * start of the server, and nothing would say so. Interrupts are the work's own. Immutable.
 */
public final class Repeated implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Repeated.class);

  private final String name;
  private final Runnable work;

  private Repeated(String name, Runnable work) {
    this.name = name;
    this.work = work;
  }

  /**
   * Contains one run of the work.
   *
   * @param name of the work, as the beginning of a sentence
   */
  public static Runnable of(String name, Runnable work) {
    return new Repeated(name, work);
  }

  @Override
  public void run() {
    try {
      work.run();
    } catch (Throwable t) { // an Error too: the JVM ends by itself where memory is short
      LOG.error("{} failed unexpectedly, and is tried again at its next time", name, t);
    }
  }
}
