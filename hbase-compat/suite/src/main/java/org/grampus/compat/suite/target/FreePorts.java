package org.grampus.compat.suite.target;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/**
 * Ports on loopback that the system has chosen and nothing listens on. Each is given once in this
 * process, since what listens on the last one may not have begun. Any thread.
 */
public final class FreePorts {
  /** The address of this machine that they are on. */
  public static final String HOST = "127.0.0.1";

  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePorts() {}

  /** The next of them. */
  public static synchronized int next() throws IOException {
    int port;
    do {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = socket.getLocalPort();
      }
    } while (!GIVEN.add(port));
    return port;
  }

  /** An address with the next of them. */
  public static String nextAddress() throws IOException {
    return HOST + ":" + next();
  }
}
