package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
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
    return new PagePolls(server.pages(), secondsOfPages);
  }

  @Test
  void pageIsAskedForAgainAndAgain() throws Exception {
    try (PagePolls polls = polls(Map.of(InfoPages.PROMETHEUS, 1))) {
      polls.begin();
      server.awaitAnswers(2);
      polls.pause();

      assertEquals(server.requests(), polls.answers());
    }
  }

  @Test
  void eachPageHasItsTime() throws Exception {
    try (PagePolls polls = polls(Map.of(InfoPages.PROMETHEUS, 3, InfoPages.STATUS, 1))) {
      for (int second = 0; second < 4; second++) {
        polls.second();
      }

      assertEquals(2 + 4, polls.answers());
    }
  }

  @Test
  void inAPauseNoPageIsAskedFor() throws Exception {
    PollClock clock = new PollClock();
    try (PagePolls polls = clock.polls(server, Map.of(InfoPages.PROMETHEUS, 1))) {
      for (int turn = 0; turn < 2; turn++) {
        polls.begin();
        assertTrue(clock.goes());
        polls.pause();
        assertFalse(clock.goes());
      }
    }
  }

  @Test
  void afterAPauseTheTimeGoesOnWhereItWas() throws Exception {
    try (PagePolls polls = polls(Map.of(InfoPages.PROMETHEUS, 1000))) {
      polls.begin();
      server.awaitAnswers(1);
      polls.pause();
      polls.begin();
      polls.pause();
      polls.second();

      assertEquals(1, polls.answers());
    }
  }

  @Test
  void pageThatDoesNotComeIsNotForgotten() throws Exception {
    try (PagePolls polls = polls(Map.of("/nothing", 1, InfoPages.PROMETHEUS, 1))) {
      polls.second();

      assertThrows(ToolException.class, polls::answers);
    }
  }

  @Test
  void noPollAtAllIsAnError() {
    try (PagePolls polls = polls(Map.of(InfoPages.PROMETHEUS, 1))) {
      assertThrows(ToolException.class, polls::answers);
    }
  }
}
