package org.grampus.server.rpc;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** One method of a service. */
public interface RpcMethod {
  /** The method's name in the proto. */
  String name();

  /** The default instance of its request message. */
  Message prototype();

  /** Where this call runs first. */
  Handlers handlers(Call call);

  /**
   * The priority of a call whose header has none, in HBase's numbers; above 10 is the priority
   * pool.
   */
  default int priority(Call call) {
    return 0;
  }

  /**
   * Whether the call may run at low priority. One that writes may not: row locks and its place in
   * the order of its region's edits are what light writes would wait for meanwhile.
   */
  default boolean mayGiveWay(Call call) {
    return false;
  }

  /**
   * Whether a run on an event loop that does not end the call has no effect and asks for no delay.
   * Such a call can still be refused when it is handed to a pool. So, while memory is plentiful, a
   * small request reserves nothing for its message before that.
   */
  default boolean isRefusableAfterTry() {
    return false;
  }

  /**
   * Runs a call, which must reply, fail, or arrange for a later reply. On the event loop {@code
   * mayBlock} is false; a method that cannot go on without blocking then returns false and is run
   * again on a pool with the same call. An exception thrown here is the call's error reply.
   *
   * @return false when the call must be run again where it may block; never when mayBlock
   */
  boolean run(Call call, boolean mayBlock) throws IOException;

  /** A run has ended, with whatever outcome; on its thread, which lets go what it kept for it. */
  default void ended() {}
}
