package org.grampus.perf.compare;

import java.io.IOException;
import org.grampus.perf.result.Run;

/** Is told how far a round is, by the thread that measures. */
public interface Progress {
  /** A run that counts is over. */
  void counted(Run run);

  /** A row is over: there are as many runs of it on either server. */
  void rowDone() throws IOException, InterruptedException;
}
