package org.grampus.compat.mutate;

/** Kinds of operations in a mutation batch (docs/jni.md). */
final class OpKind {
  static final int PUT = 1;
  static final int DELETE = 2;
  static final int INCREMENT = 3;
  static final int APPEND = 4;
  static final int ATOMIC_ROW = 5;
  static final int CHECK = 6;
  static final int MULTI_ROW = 7;
  static final int MULTI_ROW_CHECK = 8;

  /** Flag: write the new cells to the output. */
  static final int RETURN_RESULT = 1;

  private OpKind() {}
}
