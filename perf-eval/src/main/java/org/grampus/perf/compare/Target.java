package org.grampus.perf.compare;

import java.io.IOException;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.ProcSample;

/** A process that a row is measured on; results call it by its text. For one thread. */
interface Target {
  /** What the kernel has counted for it so far. */
  ProcSample sample() throws ToolException;

  /** Runs a client of it, which is {@code bin/grampus} with these arguments, to its end. */
  ClientRun run(List<String> arguments) throws ToolException, IOException, InterruptedException;

  /** Waits until what the clients of a row have left to it is done. */
  void awaitAftermath(Row row) throws ToolException, IOException, InterruptedException;

  /** Bytes of the row's table on its disk. */
  long tableBytes(Row row) throws IOException;
}
