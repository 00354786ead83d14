package org.grampus.compat.protocol;

/** Offsets of a KeyValue, from its key length on. All integers are big-endian. */
public final class KeyValueLayout {
  /** int32: length of the key. */
  public static final int KEY_LENGTH = 0;

  /** int32: length of the value. */
  public static final int VALUE_LENGTH = KEY_LENGTH + Integer.BYTES;

  /** The key. */
  public static final int KEY = VALUE_LENGTH + Integer.BYTES;

  /** int16: length of the row. */
  public static final int ROW_LENGTH = KEY;

  /** The row; behind it uint8 family length, family, qualifier, timestamp, type. */
  public static final int ROW = ROW_LENGTH + Short.BYTES;

  /** int64 timestamp and uint8 type, which end the key. */
  public static final int TIMESTAMP_TYPE_BYTES = Long.BYTES + 1;

  /** Bytes of a key without its row, family and qualifier. */
  public static final int KEY_FIXED_BYTES = Short.BYTES + 1 + TIMESTAMP_TYPE_BYTES;

  /** Bytes of the smallest KeyValue. */
  public static final int MIN_BYTES = KEY + KEY_FIXED_BYTES;

  /** Longest row. */
  public static final int MAX_ROW_BYTES = Short.MAX_VALUE;

  /** Longest family. */
  public static final int MAX_FAMILY_BYTES = Byte.MAX_VALUE;

  /** Code of the type Put. */
  public static final int PUT = 4;

  /** Code of the type Delete: one version. */
  public static final int DELETE = 8;

  /** Code of the type DeleteFamilyVersion. */
  public static final int DELETE_FAMILY_VERSION = 10;

  /** Code of the type DeleteColumn: all versions up to the timestamp. */
  public static final int DELETE_COLUMN = 12;

  /** Code of the type DeleteFamily. */
  public static final int DELETE_FAMILY = 14;

  /** Tag type of a cell's time to live. */
  public static final int TTL_TAG = 8;

  private KeyValueLayout() {}
}
