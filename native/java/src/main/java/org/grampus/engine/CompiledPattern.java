package org.grampus.engine;

/**
 * A pattern of one filter of one read. One thread uses it at a time; the engine lets go of it with
 * its scanner, get or condition.
 */
public interface CompiledPattern {
  /** The pattern does not occur. */
  int ABSENT = 0;

  /** The pattern occurs. */
  int FOUND = 1;

  /** There is no answer, for the reason that {@link #failure} gives. */
  int FAILED = 2;

  /** Whether the pattern occurs in a value: {@link #ABSENT}, {@link #FOUND} or {@link #FAILED}. */
  int find(byte[] value);

  /** Why the pattern cannot be used, or null. */
  String failure();
}
