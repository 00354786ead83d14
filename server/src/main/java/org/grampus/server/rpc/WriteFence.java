package org.grampus.server.rpc;

/**
 * Whether this server may still write: not once its regions may belong to another. Asked before a
 * write begins and again before it is acknowledged. Any thread; must not block.
 */
@FunctionalInterface
public interface WriteFence {
  /** A server whose regions go to no other. */
  WriteFence NONE = () -> true;

  /** Whether writes may begin, and be acknowledged. */
  boolean isOpen();
}
