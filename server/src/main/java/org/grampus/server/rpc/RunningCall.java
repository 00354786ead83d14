package org.grampus.server.rpc;

import org.grampus.compat.filter.pattern.SearchTime;

/** The call that a thread of a pool runs, for what runs deep below it. */
public final class RunningCall {
  private static final ThreadLocal<Call> CALL = new ThreadLocal<>();

  private RunningCall() {}

  /** Runs a call's work; to be called once per call and thread. */
  static void during(Call call, Runnable work) {
    CALL.set(call);
    try {
      work.run();
    } finally {
      CALL.set(null); // the threads stay, and to remove the entry costs more than to keep it
    }
  }

  /** What the searches of the calling thread's call have taken; without a call none have. */
  public static SearchTime searchTime() {
    Call call = CALL.get();
    return call == null ? new SearchTime() : call.searchTime();
  }

  /** Whether the client of the calling thread's call has stopped waiting; false without a call. */
  public static boolean isAbandoned() {
    Call call = CALL.get();
    return call != null && call.isAbandoned();
  }
}
