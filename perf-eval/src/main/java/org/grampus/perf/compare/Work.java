package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.process.ClientRun;

/** What a client does in a run. Immutable. */
interface Work {
  /** Operations of the first run of a warm-up, which were not timed yet. */
  long firstOperations(Sizes sizes);

  /**
   * Arguments of {@code bin/grampus}.
   *
   * @param operations about how many there are
   * @param report a file or directory that is not there, for what the client has to say
   */
  List<String> arguments(Sizes sizes, long operations, Path report);

  /**
   * What it said.
   *
   * @throws ToolException when it does not say it
   */
  ClientFigures figures(ClientRun run, Path report) throws ToolException, IOException;
}
