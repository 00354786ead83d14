package org.grampus.server.service;

import org.grampus.server.region.OnlineRegion;

/**
 * Is told of operations on regions when they have ended; of writes when they are durable. Called on
 * the threads of the calls, for each of them: it must neither block nor throw ({@link Operations}).
 */
public interface OperationObserver {
  /** Looks at nothing. */
  OperationObserver NONE = new OperationObserver() {};

  /**
   * An operation has ended.
   *
   * @param nanos how long it took, in nanoseconds
   * @param scannedBytes of the cells that a get scanned; 0 for other operations
   */
  default void ended(Operation operation, OnlineRegion region, long nanos, long scannedBytes) {}

  /** A call of a scanner has ended. */
  default void scanned(OnlineRegion region, ScannedCall call) {}

  /** A call of a scanner whose rows include all of its region, whether it reads or not. */
  default void fullScan() {}

  /** A part of a Multi has failed; the call as a whole has not. */
  default void failed(Throwable error) {}

  /** Files were loaded; in nanoseconds. */
  default void loaded(long nanos) {}

  /**
   * A call of a scanner.
   *
   * @param nanos how long it took
   * @param resultBytes of the cells that it returned
   * @param scannedBytes of the cells that it scanned
   */
  record ScannedCall(long nanos, long resultBytes, long scannedBytes) {}
}
