package org.grampus.compat.suite.target;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Ports of one server. They stay the same over restarts, as an operator's would. */
public record Ports(int zooKeeper, int master, int regionServer) {
  /** Ports that are free now. */
  public static Ports free() {
    try {
      return new Ports(FreePorts.next(), FreePorts.next(), FreePorts.next());
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on loopback", e);
    }
  }
}
