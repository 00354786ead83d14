package org.grampus.perf.fleet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.grampus.compat.suite.target.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RelayTest {
  private static final byte[] ASKED = "order".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ANSWERED = "done".getBytes(StandardCharsets.US_ASCII);

  @Test
  void bytesGoBothWaysOnEachAddress() throws Exception {
    int port = FreePorts.next();
    try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
        Relay relay = relayTo(server)) {
      for (int number = 0; number < 2; number++) {
        InetSocketAddress address = new InetSocketAddress(Addresses.of(number), port);
        relay.listen(address);
        try (Socket client = new Socket(address.getAddress(), port);
            Socket accepted = server.accept()) {
          client.getOutputStream().write(ASKED);
          assertArrayEquals(ASKED, accepted.getInputStream().readNBytes(ASKED.length));
          accepted.getOutputStream().write(ANSWERED);
          assertArrayEquals(ANSWERED, client.getInputStream().readNBytes(ANSWERED.length));
          accepted.shutdownOutput();
          assertEquals(-1, client.getInputStream().read(), "its end is the other's");
        }
      }
    }
  }

  @Test
  void anAddressThatIsTakenIsRefused() throws Exception {
    InetAddress address = InetAddress.getByName(Addresses.of(2));
    try (ServerSocket taken = new ServerSocket(0, 1, address);
        Relay relay = relayTo(taken)) {
      InetSocketAddress same = new InetSocketAddress(address, taken.getLocalPort());
      assertThrows(IOException.class, () -> relay.listen(same));
    }
  }

  private static Relay relayTo(ServerSocket server) {
    return new Relay(() -> new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
  }
}
