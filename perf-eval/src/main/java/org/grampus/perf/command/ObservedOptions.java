package org.grampus.perf.command;

import org.grampus.perf.ToolException;
import org.grampus.perf.compare.Catalogue;

/**
 * Options of a comparison with an unobserved server that do not go with all others.
 *
 * @param against whether another checkout was named
 * @param onHdfs whether both servers are to be on HDFS
 * @param atOnce whether both servers are to work at the same time
 * @param requiring whether a missed goal is to be a failure
 * @param rounds with two fresh servers each
 */
record ObservedOptions(
    boolean against, boolean onHdfs, boolean atOnce, boolean requiring, int rounds) {
  /**
   * Looks at them.
   *
   * @throws ToolException when such a comparison cannot be made
   */
  void require() throws ToolException {
    if (against) {
      throw new ToolException("--observed is beside the same Grampus, and not --against another");
    }
    if (onHdfs) {
      throw new ToolException(
          "--observed is not for --hdfs: the stock HMaster there would begin the file of the region"
              + " server's sink anew, whose properties it reads as well");
    }
    if (atOnce) {
      throw new ToolException(
          "--observed is not for --at-once: what asks for the pages of the one server would take of"
              + " the other one's time");
    }
    if (requiring && rounds < Catalogue.OBSERVED_ROUNDS) {
      throw new ToolException(
          "--observed --require needs --rounds "
              + Catalogue.OBSERVED_ROUNDS
              + " at least: two processes of the same server differ by more than the goal");
    }
  }
}
