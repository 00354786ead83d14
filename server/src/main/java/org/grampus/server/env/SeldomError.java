package org.grampus.server.env;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** An error that may come with every call and is said in the log once a minute. Any thread. */
public final class SeldomError {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final String sentence;
  private final LongSupplier nanos;
  private final AtomicLong quietUntil;

  /**
   * An error that was not said yet.
   *
   * @param sentence what has happened and what it means
   */
  public SeldomError(Logger log, String sentence) {
    this(log, sentence, Env::nanos);
  }

  SeldomError(Logger log, String sentence, LongSupplier nanos) {
    this.log = log;
    this.sentence = sentence;
    this.nanos = nanos;
    this.quietUntil = new AtomicLong(nanos.getAsLong());
  }

  /** It has happened. */
  public void happened(Throwable cause) {
    long until = quietUntil.get();
    long now = nanos.getAsLong();
    if (now - until >= 0 && quietUntil.compareAndSet(until, now + PAUSE_NANOS)) {
      log.error(sentence, cause);
    }
  }
}
