package org.grampus.perf.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The engine's metrics at one moment.
 *
 * @param millis since the epoch
 * @param values by name
 */
public record MetricsLine(long millis, Map<String, Long> values) {
  static final String SOURCE = " regionserver.Engine: ";
  private static final Pattern VALUE = Pattern.compile("([A-Za-z0-9_.]+)=(-?\\d+)(?=,|$)");

  /** The engine's lines of a file, but for the last line, which may be half written. */
  static List<MetricsLine> parse(String text) {
    List<MetricsLine> lines = new ArrayList<>();
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    for (String line : whole.lines().toList()) {
      int source = line.indexOf(SOURCE);
      if (source > 0) {
        Map<String, Long> values = new HashMap<>();
        Matcher value = VALUE.matcher(line.substring(source + SOURCE.length()));
        while (value.find()) {
          values.put(value.group(1), Long.parseLong(value.group(2)));
        }
        lines.add(new MetricsLine(Long.parseLong(line.substring(0, source)), values));
      }
    }
    return lines;
  }

  /** A value by its name; 0 where the server does not say it. */
  public long value(String name) {
    return values.getOrDefault(name, 0L);
  }
}
