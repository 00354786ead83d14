package org.grampus.perf.migration;

import java.util.List;
import org.grampus.perf.ToolException;

/**
 * Lines of text that someone has.
 *
 * @param owner in a sentence
 * @param lines in their order
 */
record Lines(String owner, List<String> lines) {
  /**
   * Fails at the first line that differs.
   *
   * @param what the lines are, in a sentence
   * @throws ToolException with that line of both
   */
  void requireSame(String what, Lines other) throws ToolException {
    int same = 0;
    while (same < Math.min(lines.size(), other.lines.size())
        && lines.get(same).equals(other.lines.get(same))) {
      same++;
    }
    if (same < Math.max(lines.size(), other.lines.size())) {
      throw new ToolException(
          what + " differ after the first " + same + ": " + line(same) + ", " + other.line(same));
    }
  }

  private String line(int number) {
    String line = number < lines.size() ? lines.get(number) : "nothing";
    return owner + ", of " + lines.size() + " in all, has " + line;
  }
}
