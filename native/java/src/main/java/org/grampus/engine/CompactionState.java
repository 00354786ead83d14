package org.grampus.engine;

/**
 * What compactions of a region run, or were asked for; the names are HBase's. Their order is the
 * code that crosses from the engine (1 for a minor one and 2 for a major one): do not reorder.
 */
public enum CompactionState {
  /** None. */
  NONE,
  /** Some files of a store. */
  MINOR,
  /** All files of a store. */
  MAJOR,
  /** Both, of different stores. */
  MAJOR_AND_MINOR
}
