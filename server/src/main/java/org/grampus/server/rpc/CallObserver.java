package org.grampus.server.rpc;

/**
 * Is told of connections and of the ends of calls. Called on the threads of the calls, for each of
 * them: it must neither block nor throw ({@link GuardedCallObserver}).
 */
public interface CallObserver {
  /** A client has introduced itself. */
  default void connected() {}

  /**
   * A call had its reply.
   *
   * @param error what it was refused with, or null
   */
  default void finished(Call call, Throwable error) {}

  /** A call ends without a reply, since its client has gone or does not wait any more. */
  default void dropped(Call call) {}

  /** A request was refused before it was a call, or a part of it. */
  default void refused(Throwable error) {}
}
