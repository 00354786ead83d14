package org.grampus.server.env;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Clocks, waiting and chance of the server: its other classes and {@code org.grampus.engine} ask
 * the JDK for none. What a test must control takes {@code Env::nanos} as a {@code LongSupplier}.
 * Any thread.
 */
public final class Env {
  private static final SecureRandom SECRETS = new SecureRandom();

  private Env() {}

  /** The clock that only goes forward, in nanoseconds since some moment; compare by difference. */
  public static long nanos() {
    return System.nanoTime();
  }

  /** The clock on the wall, in milliseconds since the epoch; it may be set back. */
  public static long millis() {
    return System.currentTimeMillis();
  }

  /**
   * Lets the calling thread wait.
   *
   * @throws InterruptedException when the thread is interrupted before or meanwhile
   */
  public static void sleep(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }

  /** A number that differs from process to process; not for secrets. */
  public static int anyInt() {
    return ThreadLocalRandom.current().nextInt();
  }

  /** Bits that no other process can guess. */
  public static BigInteger secret(int bits) {
    return new BigInteger(bits, SECRETS);
  }

  /** Puts a list into any order. */
  public static void shuffle(List<?> list) {
    Collections.shuffle(list, ThreadLocalRandom.current());
  }

  /** A name that no other one is equal to, of 32 hexadecimal digits. */
  public static String freshName() {
    return UUID.randomUUID().toString().replace("-", "");
  }
}
