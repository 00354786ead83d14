package org.grampus.server.rpc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what an observer throws from the calls that it looks at; says so once a minute. */
final class GuardedCallObserver implements CallObserver {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedCallObserver.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final CallObserver observer;
  private final AtomicLong quietUntil = new AtomicLong(Env.nanos());

  GuardedCallObserver(CallObserver observer) {
    this.observer = observer;
  }

  @Override
  public void connected() {
    try {
      observer.connected();
    } catch (RuntimeException e) {
      report(e);
    }
  }

  @Override
  public void finished(Call call, Throwable error) {
    try {
      observer.finished(call, error);
    } catch (RuntimeException e) {
      report(e);
    }
  }

  @Override
  public void dropped(Call call) {
    try {
      observer.dropped(call);
    } catch (RuntimeException e) {
      report(e);
    }
  }

  @Override
  public void refused(Throwable error) {
    try {
      observer.refused(error);
    } catch (RuntimeException e) {
      report(e);
    }
  }

  private void report(RuntimeException error) {
    long until = quietUntil.get();
    long now = Env.nanos();
    if (now - until >= 0 && quietUntil.compareAndSet(until, now + PAUSE_NANOS)) {
      LOG.error("a call was not counted; the call itself is not affected", error);
    }
  }
}
