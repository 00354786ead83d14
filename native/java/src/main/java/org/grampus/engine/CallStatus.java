package org.grampus.engine;

/** Reads the {@code status << 56 | n} that mutate, get and next return (docs/jni.md). */
public final class CallStatus {
  /** Finished; n bytes were written. */
  public static final int DONE = 0;

  /** Applied; reply when the token completes; n bytes were written. */
  public static final int PENDING = 1;

  /** Nothing happened; run again blocking. */
  public static final int WOULD_BLOCK = 2;

  /** Nothing happened; the output needs n bytes. */
  public static final int NEED_BYTES = 3;

  /** Applied, but the output of n bytes must be fetched with takeOverflow. */
  public static final int OVERFLOW_DONE = 4;

  /** As {@link #OVERFLOW_DONE}, and the reply waits for the token. */
  public static final int OVERFLOW_PENDING = 5;

  /** Nothing happened; run again as admitted after n microseconds. */
  public static final int WAIT = 6;

  private static final int STATUS_SHIFT = 56;
  private static final int SCANNED_SHIFT = 32;
  private static final int SCANNED_MASK = 0xFFFFFF;

  private CallStatus() {}

  /** The status code. */
  public static int status(long result) {
    return (int) (result >>> STATUS_SHIFT);
  }

  /** The number of bytes, or microseconds, that the status speaks of. */
  public static int bytes(long result) {
    return (int) result;
  }

  /** The bytes of cells that a get looked at which is DONE; 16 MiB - 1 for more. */
  public static int scannedBytes(long result) {
    return (int) (result >>> SCANNED_SHIFT) & SCANNED_MASK;
  }
}
