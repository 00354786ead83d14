package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import org.grampus.perf.process.InfoPages;
import org.grampus.perf.process.PagePolls;
import org.grampus.perf.process.PageServer;
import org.grampus.perf.process.PollClock;
import org.junit.jupiter.api.Test;

final class ObservedTargetTest {
  @Test
  void pagesAreAskedForWhileAClientRuns() throws Exception {
    PollClock clock = new PollClock();
    try (PageServer server = new PageServer();
        PagePolls polls = clock.polls(server, Map.of(InfoPages.STATUS, 1))) {
      Target target = new ObservedTarget(new PolledTarget(server), polls);

      for (int turn = 0; turn < 2; turn++) {
        assertEquals("done", target.run(List.of()).output());
        assertFalse(clock.goes());
      }
      assertEquals(server.requests(), polls.answers());
    }
  }
}
