package org.grampus.compat.suite.target;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of one server. They stay the same over restarts, as an operator's would. */
public record Ports(int zooKeeper, int master, int regionServer) {
  /** Ports that are free now. */
  public static Ports free() {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return new Ports(
          sockets.get(0).getLocalPort(),
          sockets.get(1).getLocalPort(),
          sockets.get(2).getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on loopback", e);
    } finally {
      sockets.forEach(Ports::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
