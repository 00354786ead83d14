package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.grampus.perf.process.InfoPages;
import org.grampus.perf.process.PagePolls;
import org.grampus.perf.process.PageServer;
import org.junit.jupiter.api.Test;

final class ObservedTargetTest {
  @Test
  void pagesAreAskedForWhileAClientRuns() throws Exception {
    try (PageServer server = new PageServer();
        PagePolls polls = new PagePolls(server.pages(), Map.of(InfoPages.STATUS, 1))) {
      Target target = new ObservedTarget(new PolledTarget(server), polls);

      assertEquals("done", target.run(List.of()).output());
      assertEquals("done", target.run(List.of()).output());
      assertEquals(server.requests(), polls.answers());
    }
  }
}
