package org.grampus.server.rpc;

/** Where a call runs first. */
public enum Handlers {
  /** Tried on the connection's event loop without blocking, then on the pool of its priority. */
  EVENT_LOOP,
  /** On the general pool, or on the priority pool when the call's priority asks for it. */
  POOL,
  /** Always on the priority pool. */
  PRIORITY;

  private static final int EVENT_LOOP_BYTES = 64 * 1024;

  /**
   * The event loop for small requests. Larger ones are not worth a try there, for its other
   * connections wait.
   */
  public static Handlers bySize(Call call) {
    return call.requestBytes() <= EVENT_LOOP_BYTES ? EVENT_LOOP : POOL;
  }
}
