package org.grampus.server.env;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Logs an error that may come with every call, at most once a minute. Any thread. */
public final class ThrottledErrorLog {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final String sentence;
  private final LongSupplier nanos;
  private final AtomicLong quietUntil;

  /**
   * Of an error that was not logged yet.
   *
   * @param sentence what has happened and what it means
   */
  public ThrottledErrorLog(Logger log, String sentence) {
    this(log, sentence, Env::nanos);
  }

  ThrottledErrorLog(Logger log, String sentence, LongSupplier nanos) {
    this.log = log;
    this.sentence = sentence;
    this.nanos = nanos;
    this.quietUntil = new AtomicLong(nanos.getAsLong());
  }

  /** Logs the error with its cause, unless it was logged less than a minute ago. */
  public void report(Throwable cause) {
    long until = quietUntil.get();
    long now = nanos.getAsLong();
    if (now - until >= 0 && quietUntil.compareAndSet(until, now + PAUSE_NANOS)) {
      log.error(sentence, cause);
    }
  }
}
