package org.grampus.engine;

/**
 * Layout of what {@link EngineRegion#mutate} writes: for each operation this header, then its
 * payload (docs/jni.md).
 */
public final class MutationReply {
  /** Where the status is, a byte. */
  public static final int STATUS = 0;

  /** Where the code of the {@link ErrorKind} is, a byte; 0 without an error. */
  public static final int ERROR_KIND = STATUS + Byte.BYTES;

  /** Where the length of the payload in bytes is, an int behind two zeros. */
  public static final int PAYLOAD_LENGTH = ERROR_KIND + Byte.BYTES + Short.BYTES;

  /** Where the payload begins. */
  public static final int HEADER_BYTES = PAYLOAD_LENGTH + Integer.BYTES;

  /** The operation is done and returns no cells. */
  public static final int DONE = 0;

  /** The operation is done; its payload is the number of its cells, an int, and the cells. */
  public static final int DONE_WITH_CELLS = 1;

  /** The condition did not hold. */
  public static final int NOT_MATCHED = 2;

  /** The operation failed; its payload is the reason in UTF-8. */
  public static final int FAILED = 3;

  private MutationReply() {}
}
