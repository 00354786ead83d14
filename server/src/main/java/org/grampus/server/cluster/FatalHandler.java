package org.grampus.server.cluster;

/**
 * Called when the server must not go on: fencing, a refused report, a failed WAL. Ends the process;
 * returns at once.
 */
@FunctionalInterface
public interface FatalHandler {
  /** Ends the server for a reason, with the failure underneath or null. */
  void abort(String reason, Throwable cause);
}
