package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PagePollsTest {
  private PageServer server;

  @BeforeEach
  void start() throws IOException {
    server = new PageServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private PagePolls polls(Map<String, Integer> secondsOfPages) {
    return PagePolls.of(server.pages(), secondsOfPages);
  }

  @Test
  void pageIsAskedForAgainAfterItsTime() throws Exception {
    try (PagePolls polls = polls(Map.of(InfoPages.PROMETHEUS, 1))) {
      server.awaitTwo();
      while (polls.answers() < 2) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  @Test
  void pageThatDoesNotComeIsNotForgotten() throws Exception {
    try (PagePolls polls = polls(Map.of("/nothing", 1, InfoPages.PROMETHEUS, 1))) {
      server.awaitTwo();
      assertThrows(
          ToolException.class,
          () -> {
            while (true) {
              polls.answers();
              TimeUnit.MILLISECONDS.sleep(1);
            }
          });
    }
  }

  @Test
  void noPollAtAllIsAnError() {
    try (PagePolls polls = polls(Map.of())) {
      assertThrows(ToolException.class, polls::answers);
    }
  }
}
