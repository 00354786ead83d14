package org.grampus.perf.pe.client;

/** Lets clients begin their measured work together. */
@FunctionalInterface
public interface Start {
  /** A client that waits for no other. */
  Start AT_ONCE = () -> {};

  /** Waits until all are ready. */
  void await() throws InterruptedException;
}
