package org.grampus.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Completions of mutations, as {@link NativeEngine#pollCompletions} writes them (docs/jni.md).
 * Reusable; one thread.
 */
public final class CompletionEntries {
  /** The kind of a write that is durable; every other is the code of an {@link ErrorKind}. */
  public static final int DURABLE = 0;

  static final int TOKEN = 0;
  static final int KIND = TOKEN + Long.BYTES;
  static final int ENTRY_BYTES = KIND + Long.BYTES; // the kind and seven zeros

  private final ByteBuffer entries;

  /** Room for a number of entries. */
  public CompletionEntries(int capacity) {
    entries = ByteBuffer.allocateDirect(capacity * ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** What the engine writes to. */
  ByteBuffer buffer() {
    return entries;
  }

  /** The most entries that one poll writes. */
  public int capacity() {
    return entries.capacity() / ENTRY_BYTES;
  }

  /** The token of a completed call; -1 when a log is lost. */
  public long token(int index) {
    return entries.getLong(index * ENTRY_BYTES + TOKEN);
  }

  /** {@link #DURABLE}, or the code of what went wrong. */
  public int kind(int index) {
    return entries.get(index * ENTRY_BYTES + KIND);
  }

  /** Sets an entry, as the engine does: for what stands in front of it. */
  public void set(int index, long token, int kind) {
    entries.putLong(index * ENTRY_BYTES + TOKEN, token);
    entries.putLong(index * ENTRY_BYTES + KIND, kind);
  }
}
