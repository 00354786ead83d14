package org.grampus.perf.process;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** An info port on loopback that has one page, {@link InfoPages#PROMETHEUS}. */
final class PageServer implements AutoCloseable {
  static final String TEXT = "engine_files 3.5\n";

  private final CountDownLatch two = new CountDownLatch(2);
  private final HttpServer server;

  PageServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        InfoPages.PROMETHEUS,
        exchange -> {
          byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
          two.countDown();
        });
    server.start();
  }

  InfoPages pages() {
    return new InfoPages(server.getAddress().getPort());
  }

  /** Waits until its page was asked for twice. */
  void awaitTwo() throws InterruptedException {
    two.await();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
