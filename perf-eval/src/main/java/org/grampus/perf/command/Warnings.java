package org.grampus.perf.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** WARN and ERROR of logs, without what differs from run to run: times, threads, numbers, names. */
final class Warnings {
  private static final Pattern LEVEL = Pattern.compile("(^| )(WARN|ERROR) ");
  private static final int WORDS = 7;

  /** What a stock HBase prints in the same scenario. */
  private static final Set<String> STOCK = kinds("stock-warnings.txt");

  /**
   * What the stock classes say of a machine whose disk or processors were late. {@code Error while
   * calling watcher} is one: {@code ZKWatcher.process} asks whether its executor is shut down and
   * then gives it the event, and {@code close} may come between.
   */
  private static final Set<String> LATE_MACHINE = kinds("late-machine-warnings.txt");

  private Warnings() {}

  private static Set<String> kinds(String resource) {
    try (InputStream lines = Warnings.class.getResourceAsStream(resource)) {
      return new String(lines.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isWarning(String line) {
    return LEVEL.matcher(line).find();
  }

  /** Each kind of warning once. */
  static SortedSet<String> of(Collection<String> lines) {
    return lines.stream()
        .filter(Warnings::isWarning)
        .map(Warnings::kind)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The kinds that a stock HBase does not print, even when its machine is late. */
  static SortedSet<String> unexpected(Collection<String> lines) {
    SortedSet<String> kinds = of(lines);
    kinds.removeAll(STOCK);
    kinds.removeAll(LATE_MACHINE);
    return kinds;
  }

  /** The kinds that speak of the machine and not of the server. */
  static SortedSet<String> ofLateMachine(Collection<String> lines) {
    SortedSet<String> kinds = of(lines);
    kinds.retainAll(LATE_MACHINE);
    return kinds;
  }

  /** Level, logger and the first words. */
  private static String kind(String line) {
    String plain =
        line.replaceFirst("^[0-9T:.,-]+ +", "")
            .replaceFirst("\\[[^]]*\\] ", "")
            .replaceAll("[0-9a-f]{32}", "HEX")
            .replaceAll("0x[0-9a-f]+", "HEX")
            .replaceAll("file:[^ ,]*", "PATH")
            .replaceAll("[0-9]+", "N");
    return Pattern.compile("\\s+")
        .splitAsStream(plain.trim())
        .limit(WORDS)
        .collect(Collectors.joining(" "));
  }
}
