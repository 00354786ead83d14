package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.InfoPages;
import org.grampus.perf.process.PagePolls;
import org.grampus.perf.process.PageServer;
import org.grampus.perf.process.ProcSample;
import org.junit.jupiter.api.Test;

final class ObservedTargetTest {
  @Test
  void pagesAreAskedForWhileAClientRuns() throws Exception {
    try (PageServer server = new PageServer();
        PagePolls polls = new PagePolls(server.pages(), Map.of(InfoPages.STATUS, 1))) {
      Target target = new ObservedTarget(new Polled(server), polls);

      assertEquals("done", target.run(List.of()).output());
      assertEquals("done", target.run(List.of()).output());
      assertEquals(server.requests(), polls.answers());
    }
  }

  /** Its client runs until a page was asked for. */
  private record Polled(PageServer server) implements Target {
    @Override
    public ProcSample sample() {
      return new ProcSample(0, 0, 0, 0);
    }

    @Override
    public ClientRun run(List<String> arguments) throws InterruptedException {
      server.awaitAnswers(1);
      return new ClientRun("done", 0, 0);
    }

    @Override
    public void awaitAftermath(Row row) {}

    @Override
    public long tableBytes(Row row) {
      return 0;
    }
  }
}
