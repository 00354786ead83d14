package org.grampus.perf.judges;

import java.io.IOException;
import org.grampus.perf.ToolException;

/** Looks for one kind of error in a cluster. */
@FunctionalInterface
public interface Judge {
  /**
   * Judges.
   *
   * @throws ToolException when it cannot, or the cluster does not serve any more
   */
  Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException;
}
