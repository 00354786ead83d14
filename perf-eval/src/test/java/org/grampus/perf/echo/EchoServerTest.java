package org.grampus.perf.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.client.ClientFigures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class EchoServerTest {
  @TempDir private Path directory;

  @Test
  void everyCallOfEveryThreadIsAnswered() throws Exception {
    Path report = directory.resolve("report");
    try (EchoServer server = EchoServer.open(0)) {
      int code =
          new CommandLine(new EchoClient())
              .execute(
                  "--port=" + server.port(),
                  "--threads=3",
                  "--operations=100",
                  "--report=" + report);

      assertEquals(0, code);
    }
    ClientFigures figures = ClientFigures.read(report);
    assertEquals(100, figures.operations());
    assertEquals(0, figures.errors());
    assertTrue(figures.p99Micros() >= figures.p50Micros());
  }

  @Test
  void requestsThatComeTogetherAreAllAnswered() throws Exception {
    byte[] request = EchoFrames.frame(EchoFrames.REQUEST_BYTES);
    byte[] replies = new byte[2 * (EchoFrames.LENGTH_BYTES + EchoFrames.REPLY_BYTES)];
    try (EchoServer server = EchoServer.open(0);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      byte[] two = new byte[2 * request.length];
      System.arraycopy(request, 0, two, 0, request.length);
      System.arraycopy(request, 0, two, request.length, request.length);
      socket.getOutputStream().write(two);

      assertEquals(replies.length, socket.getInputStream().readNBytes(replies, 0, replies.length));
    }
    assertEquals(EchoFrames.REPLY_BYTES, EchoFrames.length(replies));
  }

  @Test
  void frameThatIsTooLongEndsItsConnection() throws Exception {
    try (EchoServer server = EchoServer.open(0);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(new byte[] {0x7f, 0, 0, 0});

      assertEquals(-1, end(socket));
    }
  }

  @Test
  void portThatIsTakenLeavesNoThreadBehind() throws Exception {
    try (EchoServer server = EchoServer.open(0)) {
      List<Thread> before = eventLoops();

      assertThrows(IOException.class, () -> EchoServer.open(server.port()));

      for (Thread thread : eventLoops()) {
        if (!before.contains(thread)) {
          thread.join(TimeUnit.MINUTES.toMillis(1));
          assertFalse(thread.isAlive(), thread.getName());
        }
      }
    }
  }

  private static List<Thread> eventLoops() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("(epoll|nio)EventLoopGroup.*"))
        .toList();
  }

  /** A reset is an end, too. */
  private static int end(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1;
    }
  }
}
