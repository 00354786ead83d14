package org.grampus.perf.echo;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

final class EchoConnectionTest {
  /** An end that does not come within it is none. */
  private static final int LIMIT_MILLIS = 10_000;

  private static ServerSocket listener() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void echoAnswersAgainAndAgain() throws Exception {
    try (EchoServer server = EchoServer.open(0);
        EchoConnection connection = EchoConnection.open(server.port())) {
      for (int call = 0; call < 3; call++) {
        assertDoesNotThrow(connection::call);
      }
    }
  }

  @Test
  void programThatListensAndSaysNothingIsNoEcho() throws Exception {
    try (ServerSocket silent = listener();
        EchoConnection connection = EchoConnection.open(silent.getLocalPort(), 1)) {
      assertThrows(SocketTimeoutException.class, connection::call);
    }
  }

  @Test
  void connectionThatCannotBeSetUpIsClosed() throws Exception {
    try (ServerSocket other = listener()) {
      assertThrows(
          IllegalArgumentException.class, () -> EchoConnection.open(other.getLocalPort(), -1));

      try (Socket accepted = other.accept()) {
        accepted.setSoTimeout(LIMIT_MILLIS);
        assertEquals(-1, accepted.getInputStream().read());
      }
    }
  }

  @Test
  void programThatAnswersOtherwiseIsNoEcho() throws Exception {
    try (ServerSocket other = listener();
        EchoConnection connection = EchoConnection.open(other.getLocalPort());
        Socket accepted = other.accept()) {
      accepted.getOutputStream().write(EchoFrames.frame(EchoFrames.REQUEST_BYTES));

      assertEquals(
          "the echo has not answered as it does",
          assertThrows(IOException.class, connection::call).getMessage());
    }
  }
}
