package org.grampus.perf.compare;

import java.io.IOException;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.PagePolls;
import org.grampus.perf.process.ProcSample;

/**
 * A target whose pages are asked for while a client of it runs: in the other one's turn they would
 * take of the same cores.
 */
record ObservedTarget(Target target, PagePolls polls) implements Target {
  @Override
  public ProcSample sample() throws ToolException {
    return target.sample();
  }

  @Override
  public ClientRun run(List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    polls.begin();
    try {
      return target.run(arguments);
    } finally {
      polls.pause();
    }
  }

  @Override
  public void awaitAftermath(Row row) throws ToolException, IOException, InterruptedException {
    target.awaitAftermath(row);
  }

  @Override
  public long tableBytes(Row row) throws IOException {
    return target.tableBytes(row);
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
