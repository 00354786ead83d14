package org.grampus.server.operator;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * The server that the master gives no region to, one at a time. A decommission outlives this
 * process, so its end is tried again until it succeeds. Any thread.
 */
final class Drain {
  private ServerName server;
  private boolean closed;

  /** Decommissions a server; refused once this is closed. */
  synchronized void begin(Admin admin, ServerName next) throws IOException {
    if (closed) {
      throw new IOException("this process ends; " + next + " is left alone");
    }
    server = next; // before the request, which may succeed at the master and fail here
    admin.decommissionRegionServers(List.of(next), false);
  }

  /** Recommissions the server, if there is one. */
  synchronized void end(Admin admin) throws IOException {
    if (server != null) {
      admin.recommissionRegionServer(server, List.of());
      server = null;
    }
  }

  /** The same for good, as the process ends. */
  synchronized void close(Admin admin) throws IOException {
    closed = true;
    end(admin);
  }

  /** What an operator has to type where that failed; empty when nothing is drained. */
  synchronized String byHand() {
    return server == null ? "" : "recommission_regionserver '" + server + "'";
  }
}
