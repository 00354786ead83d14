package org.grampus.server.operator;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * The server that the master gives no region to, one at a time. A decommission outlives this
 * process, so its end is tried again until it succeeds. No request is made under the lock, since
 * the end of the process must not wait for one that hangs. Any thread.
 */
final class Drain {
  private volatile ServerName server;
  private boolean closed;

  /** Decommissions a server; refused once this is closed. */
  void begin(Admin admin, ServerName next) throws IOException {
    take(next); // before the request, which may succeed at the master and fail here
    admin.decommissionRegionServers(List.of(next), false);
  }

  private synchronized void take(ServerName next) throws IOException {
    if (closed) {
      throw new IOException("this process ends; " + next + " is left alone");
    }
    server = next;
  }

  /** Recommissions the server, if there is one. */
  void end(Admin admin) throws IOException {
    ServerName drained = server;
    if (drained != null) {
      admin.recommissionRegionServer(drained, List.of());
      server = null;
    }
  }

  /** Takes no further server, as the process ends. */
  synchronized void close() {
    closed = true;
  }

  /** What an operator has to type where its end failed; empty when nothing is drained. */
  String byHand() {
    ServerName drained = server;
    return drained == null ? "" : "recommission_regionserver '" + drained + "'";
  }
}
