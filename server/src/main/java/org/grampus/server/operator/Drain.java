package org.grampus.server.operator;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.net.Address;

/**
 * The server that the master gives no region to, one at a time, beside those that an operator had
 * drained before. A decommission outlives this process, so its end is tried again until it
 * succeeds. No request is made under the lock, since the end of the process must not wait for one
 * that hangs. Any thread.
 */
final class Drain {
  private volatile ServerName server;

  /** The processes that an operator has drained, or those after them, by their address. */
  private final Map<Address, ServerName> kept = new ConcurrentHashMap<>();

  private boolean closed;

  /** Takes the servers that an operator has drained, and that stay so. */
  void keep(Collection<ServerName> drained) {
    drained.forEach(each -> kept.put(each.getAddress(), each));
  }

  /**
   * Whether an operator has drained the server, as the master says now: one may do so, or undo it,
   * at any time.
   */
  boolean keeps(Admin admin, ServerName live) throws IOException {
    if (admin.listDecommissionedRegionServers().contains(live)) {
      kept.put(live.getAddress(), live);
    } else {
      kept.remove(live.getAddress(), live);
    }
    return kept.containsKey(live.getAddress());
  }

  /**
   * Decommissions the servers anew that are kept: the master lists processes, and a restarted one
   * is new to it. The same process is left alone: when it is not drained any more, an operator has
   * recommissioned it.
   */
  void renew(Admin admin) throws IOException {
    if (kept.isEmpty()) {
      return;
    }
    List<ServerName> known = admin.listDecommissionedRegionServers();
    List<ServerName> next = admin.getRegionServers().stream().filter(this::isNew).toList();
    List<ServerName> unknown = next.stream().filter(each -> !known.contains(each)).toList();
    if (!unknown.isEmpty()) {
      admin.decommissionRegionServers(unknown, true);
    }
    keep(next);
  }

  private boolean isNew(ServerName live) {
    ServerName before = kept.get(live.getAddress());
    return before != null && before.getStartCode() != live.getStartCode();
  }

  /** Decommissions a server; refused once this is closed. */
  void begin(Admin admin, ServerName next) throws IOException {
    take(next); // before the request, which may succeed at the master and fail here
    admin.decommissionRegionServers(List.of(next), false);
  }

  private synchronized void take(ServerName next) throws IOException {
    requireOpen(next);
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

  /** Refuses to go on with a server once this is closed. */
  synchronized void requireOpen(ServerName any) throws IOException {
    if (closed) {
      throw new IOException("this process ends; " + any + " is left alone");
    }
  }

  /** Takes no further server, as the process ends. */
  synchronized void close() {
    closed = true;
  }

  /** What an operator has to type where {@link #renew} failed; empty when none is kept. */
  String renewByHand() {
    return kept.isEmpty()
        ? ""
        : kept.keySet().stream()
            .map(each -> "'" + each.getHostName() + "," + each.getPort() + "'")
            .sorted()
            .collect(Collectors.joining(", ", "decommission_regionservers [", "]"));
  }

  /** What an operator has to type where its end failed; empty when nothing is drained. */
  String endByHand() {
    ServerName drained = server;
    return drained == null ? "" : "recommission_regionserver '" + drained + "'";
  }
}
