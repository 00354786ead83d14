package org.grampus.server.memory;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** The addresses that have connections, with their number. Any thread. */
public final class MemoryPeers {
  private final int maxConnections;
  private final Map<InetAddress, MemoryPeer> peers = new HashMap<>();

  /** Peers that may have {@code maxConnections} connections each. */
  public MemoryPeers(int maxConnections) {
    this.maxConnections = maxConnections;
  }

  /**
   * Counts a connection in.
   *
   * @param address the peer's, or null when it has none
   * @return the peer, or null when it has as many connections as it may
   */
  public synchronized MemoryPeer enter(InetAddress address) {
    MemoryPeer peer = peers.computeIfAbsent(address, unused -> new MemoryPeer(this, address));
    if (peer.connections() >= maxConnections) {
      return null;
    }
    peer.connections(peer.connections() + 1);
    return peer;
  }

  /**
   * Counts a connection out. An address whose calls still run is remembered with what they hold, so
   * that it cannot begin anew by connecting again; the last of them that gives back forgets it.
   */
  public synchronized void leave(InetAddress address) {
    MemoryPeer peer = peers.get(address);
    if (peer == null) {
      return;
    }
    peer.connections(peer.connections() - 1);
    forgetUnused(address, peer);
  }

  /** Forgets a peer that has no connection and holds nothing. */
  synchronized void forgetUnused(InetAddress address, MemoryPeer peer) {
    if (peer.connections() == 0 && peer.holdsNothing()) {
      peers.remove(address, peer);
    }
  }
}
