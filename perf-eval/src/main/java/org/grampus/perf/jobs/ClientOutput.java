package org.grampus.perf.jobs;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Tail;

/**
 * What a client has said of its jobs.
 *
 * @param text all that it has printed
 */
record ClientOutput(String text) {
  private static final Pattern SPLITS = Pattern.compile("number of splits:(\\d+)");

  /** A counter as it stands at the end of a job. */
  long counter(String name) throws ToolException {
    Matcher line = Pattern.compile("(?m)^\\s*" + Pattern.quote(name) + "=(\\d+)$").matcher(text);
    if (!line.find()) {
      throw new ToolException("the job has no counter " + name + Tail.of(text));
    }
    return Long.parseLong(line.group(1));
  }

  /** The numbers of splits, in the order of the jobs. */
  List<Long> splits() {
    return SPLITS.matcher(text).results().map(found -> Long.valueOf(found.group(1))).toList();
  }
}
