package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class PortCheckTest {
  private static final String KEY = "some.port";
  private static final String LOOPBACK = "127.0.0.1";

  private final Configuration conf = new Configuration(false);

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void aTakenPortIsNamedWithItsKey() throws IOException {
    try (ServerSocket socket = listen()) {
      int port = socket.getLocalPort();
      conf.setInt(KEY, port);
      StartupException refusal =
          assertThrows(StartupException.class, () -> PortCheck.free(conf, KEY, 0, LOOPBACK));
      assertTrue(
          refusal.getMessage().startsWith("port " + port + " on " + LOOPBACK + " (" + KEY + ")"),
          refusal.getMessage());
    }
  }

  @Test
  void theDefaultPortCountsWhenTheKeyIsNotSet() throws IOException {
    try (ServerSocket socket = listen()) {
      assertThrows(
          StartupException.class, () -> PortCheck.free(conf, KEY, socket.getLocalPort(), LOOPBACK));
    }
  }

  @Test
  void aPortIsFreeOnceItsListenerIsGone() throws Exception {
    ServerSocket socket = listen();
    conf.setInt(KEY, socket.getLocalPort());
    socket.close();
    PortCheck.free(conf, KEY, 0, LOOPBACK);
  }

  @Test
  void aPortThatIsChosenLaterIsFree() throws StartupException {
    for (int port : new int[] {0, -1}) {
      conf.setInt(KEY, port);
      PortCheck.free(conf, KEY, 1, LOOPBACK);
    }
  }
}
