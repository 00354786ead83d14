package org.grampus.perf.cluster;

import org.grampus.perf.process.Daemon;

/**
 * One process of a cluster.
 *
 * @param role what it is
 * @param port that clients call, 0 where none is known
 * @param daemon its process
 */
public record Node(Role role, int port, Daemon daemon) {
  @Override
  public String toString() {
    return daemon.name();
  }
}
