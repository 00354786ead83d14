package org.grampus.perf.command;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.perf.result.ResultTable;

/** What {@code perf report} printed, summed up. */
final class PerfReport {
  private static final Pattern LINE = Pattern.compile("^ +([0-9.]+)% +(.*)$");
  private static final double SHOWN_FROM_PERCENT = 1;
  private static final int SYMBOLS = 25;

  private PerfReport() {}

  /** Percentages of the samples by thread or library, names without their numbers. */
  static List<String> shares(String report) {
    Map<String, Double> shares = new TreeMap<>();
    report
        .lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(
            line -> shares.merge(plain(line.group(2)), Double.valueOf(line.group(1)), Double::sum));
    return shares.entrySet().stream()
        .filter(share -> share.getValue() >= SHOWN_FROM_PERCENT)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .map(share -> ResultTable.cell("%6.1f %% %s", share.getValue(), share.getKey()))
        .toList();
  }

  private static String plain(String name) {
    return name.replace("(deleted)", "")
        .replaceFirst("grampus-[0-9]+-", "")
        .replaceFirst(" tid [0-9]+", "")
        .replace("[JIT]", "Java, compiled or interpreted")
        .replaceFirst("[-#][0-9]+([-:][0-9]+)* *$", "")
        .stripTrailing();
  }

  /** The symbols with most samples, those without a name left out. */
  static List<String> symbols(String report) {
    return report
        .lines()
        .filter(line -> LINE.matcher(line).matches() && !line.contains(" 0x"))
        .map(line -> line.replaceFirst(" +- +- *$", "").stripTrailing())
        .limit(SYMBOLS)
        .toList();
  }
}
