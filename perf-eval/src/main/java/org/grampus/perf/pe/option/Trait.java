package org.grampus.perf.pe.option;

/** What a test is like; decides which options have an effect on it. */
public enum Trait {
  /** Gets. */
  GET,
  /** One scan of all rows of a client. */
  SCAN,
  /** A scan for each operation. */
  SHORT_SCAN,
  /** Puts of whole rows. */
  PUT,
  /** Deletes of whole rows. */
  DELETE,
  /** Reads and writes in one call, on rows that all clients share. */
  ATOMIC,
  /** Uses hbase:meta and no table. */
  META,
  /** Through the asynchronous client. */
  ASYNC,
  /** Takes rows by chance. */
  RANDOM,
  /** A class of the user's. */
  CUSTOM
}
