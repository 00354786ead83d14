package org.grampus.server.daemon;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.apache.hadoop.conf.Configuration;

/**
 * Finds a taken port before anything starts, so that the operator reads one sentence instead of a
 * stack of HBase's.
 */
final class PortCheck {
  private PortCheck() {}

  /**
   * Fails when the port that a key names cannot be bound on an address. Port 0 and negative ports
   * are free by definition.
   */
  static void free(Configuration conf, String key, int defaultPort, String address)
      throws StartupException {
    int port = conf.getInt(key, defaultPort);
    if (port <= 0) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
    } catch (IOException e) {
      throw new StartupException(
          "port "
              + port
              + " on "
              + address
              + " ("
              + key
              + ") is taken; stop what uses it or set "
              + key,
          e);
    }
  }
}
