package org.grampus.perf.compare;

import java.util.List;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.PageServer;
import org.grampus.perf.process.ProcSample;

/** A target whose client runs until a page of its server was asked for. */
record PolledTarget(PageServer server) implements Target {
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
