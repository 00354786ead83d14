package org.grampus.server.rpc;

import java.io.IOException;

/** What a method keeps of a call that it has not finished, over its runs. */
public interface CallProgress {
  /**
   * The call is not run again. If a part of it has changed something, replies what was done, with
   * the error for the rest, so that the client repeats the rest alone.
   *
   * @return false when nothing was changed; the error is then the reply
   */
  boolean finish(IOException error);

  /** The call ends without another run: release what is held. */
  void abandon();
}
