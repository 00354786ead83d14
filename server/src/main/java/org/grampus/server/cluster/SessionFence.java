package org.grampus.server.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.grampus.server.env.Repeated;
import org.grampus.server.rpc.WriteFence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets writes through only while ZooKeeper's leader, which ends sessions, has been heard within two
 * thirds of the session's time. Whatever ends the session comes a fifth of it later at the
 * earliest, and the master gives regions away only then: what this server acknowledges is in its
 * log before another reads it. A contact counts from when the question was sent. See
 * docs/design/0024-fence.md.
 */
public final class SessionFence implements WriteFence, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionFence.class);
  private static final int CONTACTS_PER_SESSION = 10;

  private final Session session;
  private final LongSupplier nanoClock;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "zookeeper-contact");
  private volatile long contactNanos;
  private volatile long allowedNanos;
  private boolean closedToWrites;

  /** The session as the fence sees it. */
  interface Session {
    /** Asks something; runs the action when the answer is there, which may be never. */
    void ask(Runnable answered) throws Exception;

    /** The session's agreed time, in milliseconds; 0 while there is none. */
    int timeoutMillis();
  }

  SessionFence(Session session, LongSupplier nanoClock) {
    this.session = session;
    this.nanoClock = nanoClock;
    thread.setDaemon(true);
  }

  /** Begins with a contact now, the session having just been used. */
  void start() {
    contactNanos = nanoClock.getAsLong();
    readTimeout();
    thread.start();
  }

  @Override
  public boolean isOpen() {
    return nanoClock.getAsLong() - contactNanos < allowedNanos;
  }

  private void run() {
    Runnable contact = Repeated.of("the question to ZooKeeper", this::contact);
    try {
      do {
        contact.run();
      } while (!stop.await(periodMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long periodMillis() {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(allowedNanos) * 3 / 2 / CONTACTS_PER_SESSION);
  }

  /** Asks once; an answer that is late counts from its question all the same. */
  void contact() {
    report();
    long asked = nanoClock.getAsLong();
    try {
      session.ask(() -> answered(asked));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.debug("ZooKeeper cannot be asked now", e);
    }
  }

  private synchronized void answered(long asked) {
    readTimeout();
    if (asked - contactNanos > 0) {
      contactNanos = asked;
    }
  }

  private void readTimeout() {
    int millis = session.timeoutMillis();
    if (millis > 0) {
      allowedNanos = TimeUnit.MILLISECONDS.toNanos(millis) / 3 * 2;
    }
  }

  private synchronized void report() {
    boolean closed = !isOpen();
    if (closed != closedToWrites) {
      closedToWrites = closed;
      if (closed) {
        LOG.warn(
            "no contact with ZooKeeper's leader for {} ms: writes are refused until there is one",
            TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - contactNanos));
      } else {
        LOG.info("contact with ZooKeeper's leader is back, writes go on");
      }
    }
  }

  @Override
  public void close() {
    stop.countDown();
  }
}
