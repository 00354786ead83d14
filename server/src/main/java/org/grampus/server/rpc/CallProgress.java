package org.grampus.server.rpc;

/** What a method keeps of a call that it has not finished, over its runs. */
public interface CallProgress {
  /** The call ends without another run: release what is held. */
  void abandon();
}
