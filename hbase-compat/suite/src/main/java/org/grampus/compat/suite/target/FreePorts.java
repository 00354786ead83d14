package org.grampus.compat.suite.target;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports on loopback on which nothing listens. They are below those that Linux gives to outgoing
 * connections unless it is told otherwise: such a connection could take a port before the server
 * that it is for has begun to listen. Each is given once in this process, for the same reason. Any
 * thread.
 */
public final class FreePorts {
  /** The address of this machine that they are on. */
  public static final String HOST = "127.0.0.1";

  private static final int FIRST = 10_000;
  private static final int END = 32_768;
  private static final int TRIES_MAX = 1_000;
  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePorts() {}

  /** The next of them. */
  public static synchronized int next() throws IOException {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (isFree(port) && GIVEN.add(port)) {
        return port;
      }
    }
    throw new IOException("no port from " + FIRST + " to " + (END - 1) + " is free");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false; // another process has it
    }
  }

  /** An address with the next of them. */
  public static String nextAddress() throws IOException {
    return HOST + ":" + next();
  }
}
