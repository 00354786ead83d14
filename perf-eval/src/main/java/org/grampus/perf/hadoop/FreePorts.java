package org.grampus.perf.hadoop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Ports on loopback that the system has chosen and nothing listens on, each given once. */
final class FreePorts {
  private final Queue<Integer> ports = new ArrayDeque<>();

  FreePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      sockets.forEach(socket -> ports.add(socket.getLocalPort()));
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** An address with the next of them. */
  String next() {
    return HadoopSite.HOST + ":" + ports.remove();
  }
}
