package org.grampus.engine;

/** What a caller can do about an engine error. The codes are those of docs/jni.md. */
public enum ErrorKind {
  /** The request can never succeed as it is. */
  BAD_REQUEST(1),
  /** Unknown column family. */
  NO_SUCH_FAMILY(2),
  /** The row lies outside the region. */
  WRONG_REGION(3),
  /** Try again later: memory is short or the store is behind. */
  BUSY(4),
  /** The region is closing or closed here. */
  NOT_SERVING(5),
  /** A file's bytes are not what was written. */
  CORRUPT(6),
  /** A WAL write failed: nothing more may be acknowledged and the process must end. */
  POISONED(7),
  /** The operating system refused; the message names the file. */
  IO(8),
  /** A mutation with an impossible row or timestamp. */
  SANITY(9),
  /** A row larger than one reply may be. */
  ROW_TOO_BIG(10),
  /** A lock was not had in time. */
  TIMEOUT(11),
  /** Use of a closed handle, or a broken invariant. */
  BUG(12),
  /** What a batch has answered takes much: the rest of it is to be sent again, at once. */
  LARGE_ANSWERS(13);

  private static final ErrorKind[] BY_CODE = values();

  private final int code;

  ErrorKind(int code) {
    this.code = code;
  }

  /** The code that crosses the boundary. */
  public int code() {
    return code;
  }

  /** The kind for a code; a code that is not known is a {@link #BUG}. */
  public static ErrorKind ofCode(int code) {
    return code >= 1 && code <= BY_CODE.length ? BY_CODE[code - 1] : BUG;
  }
}
