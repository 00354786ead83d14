package org.grampus.perf.pe.client;

import org.grampus.perf.pe.option.Share;

/** Learns on the thread of a client when it begins and when it has ended. For any thread. */
public interface Listener {
  /** A client with these rows begins. */
  void begins(Share share);

  /** A client has ended. */
  void ended(ClientResult client);
}
