package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class InfoPagesTest {
  private static final String METRICS =
      """
      # TYPE server_region_count gauge
      server_region_count{role="RegionServer",hostname="a"} 1002
      server_region_count_more{role="RegionServer"} 7
      engine_files 3.5
      """;

  private final CountDownLatch looks = new CountDownLatch(2);
  private HttpServer server;
  private InfoPages pages;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        InfoPages.PROMETHEUS,
        exchange -> {
          byte[] text = METRICS.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
          looks.countDown();
        });
    server.start();
    pages = new InfoPages(server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void pageThatIsThereComesAndAnotherIsAnError() throws Exception {
    assertEquals(METRICS, pages.get(InfoPages.PROMETHEUS));
    assertThrows(IOException.class, () -> pages.get("/nothing"));
  }

  @Test
  void metricIsReadByItsWholeName() throws IOException {
    assertEquals(1002, InfoPages.value(METRICS, "server_region_count"));
    assertEquals(3.5, InfoPages.value(METRICS, "engine_files"));
    assertThrows(IOException.class, () -> InfoPages.value(METRICS, "server_region"));
  }

  @Test
  void observersLookAgainAfterTheirTime() throws Exception {
    try (Observers observers = Observers.of(pages, Map.of(InfoPages.PROMETHEUS, 1))) {
      looks.await();
      while (observers.answers() < 2) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  @Test
  void pageThatDoesNotComeIsNotForgotten() throws Exception {
    try (Observers observers =
        Observers.of(pages, Map.of("/nothing", 1, InfoPages.PROMETHEUS, 1))) {
      looks.await();
      assertThrows(
          ToolException.class,
          () -> {
            while (true) {
              observers.answers();
              TimeUnit.MILLISECONDS.sleep(1);
            }
          });
    }
  }

  @Test
  void noLookAtAllIsAnError() {
    try (Observers observers = Observers.of(pages, Map.of())) {
      assertThrows(ToolException.class, observers::answers);
    }
  }
}
