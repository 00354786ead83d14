package org.grampus.perf.command;

import java.util.Set;
import org.grampus.perf.ToolException;
import org.grampus.perf.compare.Catalogue;

/**
 * Options of a comparison that do not go with all others.
 *
 * @param given the names of those that were given
 * @param rounds with two fresh servers each
 */
record CompareOptions(Set<String> given, int rounds) {
  static final String AGAINST = "--against";
  static final String AT_ONCE = "--at-once";
  static final String HDFS = "--hdfs";
  static final String OBSERVED = "--observed";
  static final String REQUIRE = "--require";

  /**
   * Checks them.
   *
   * @throws ToolException when such a comparison cannot be made
   */
  void require() throws ToolException {
    refuse(
        Set.of(OBSERVED, AGAINST),
        "--observed is beside the same Grampus, and not --against another");
    refuse(
        Set.of(OBSERVED, HDFS),
        "--observed is not for --hdfs: the stock HMaster there would begin the file of the region"
            + " server's sink anew, whose properties it reads as well");
    refuse(
        Set.of(OBSERVED, AT_ONCE),
        "--observed cannot be combined with --at-once: requests for the pages of one server would"
            + " take processor time of the other. Leave one of them out");
    refuse(
        Set.of(AT_ONCE, REQUIRE),
        "--at-once cannot be combined with --require: goals are of servers that have the machine"
            + " for themselves. Leave one of them out");
    if (rounds < Catalogue.OBSERVED_ROUNDS) {
      refuse(
          Set.of(OBSERVED, REQUIRE),
          "--observed --require needs --rounds "
              + Catalogue.OBSERVED_ROUNDS
              + " at least: two processes of the same server differ by more than the goal");
    }
  }

  private void refuse(Set<String> together, String why) throws ToolException {
    if (given.containsAll(together)) {
      throw new ToolException(why);
    }
  }
}
