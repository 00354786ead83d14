package org.grampus.perf.process;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The counters that MapReduce's jobs print: of a name the last one, since a job in one process
 * prints those of each task before its own.
 */
public final class Counters {
  private static final Pattern LINE = Pattern.compile("^\\s*([A-Z][A-Z_]*)=(\\d+)\\s*$");

  private final Map<String, Long> last = new HashMap<>();

  /** Those of an output; lines that are none do not matter. */
  public Counters(String output) {
    output
        .lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(line -> last.put(line.group(1), Long.valueOf(line.group(2))));
  }

  /** One of them, 0 where there is none: a counter that has counted nothing is not printed. */
  public long get(String name) {
    return last.getOrDefault(name, 0L);
  }
}
