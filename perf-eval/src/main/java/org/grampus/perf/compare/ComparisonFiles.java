package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.grampus.perf.result.Machine;
import org.grampus.perf.result.Result;

/** A comparison as text and for programs. */
public final class ComparisonFiles {
  /** The setting that holds what came of each row. */
  public static final String ROWS = "rows";

  private ComparisonFiles() {}

  /**
   * Writes compare.json and compare.md, replacing those of an earlier run.
   *
   * @param result what all of it rests on
   */
  public static void write(Path directory, Result result, Comparison comparison)
      throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("compare.json"), result.toJson());
    Files.writeString(directory.resolve("compare.md"), page(result, comparison));
  }

  static String page(Result result, Comparison comparison) {
    Machine machine = result.machine();
    return """
        # Comparison with %s

        `bin/grampus perf %s`, %s, commit %s%s.
        %s, %d cores, %d MB, %s, JDK %s; settings: %s.

        Server CPU per operation, all repetitions together; the ratio is Grampus against %s.
        The echo, a call that is answered and does nothing, is for rows whose goals compare with it.

        %s

        Times and latencies as the client saw them, medians of the repetitions;
        of servers that work at once they are those beside the other server.

        %s
        """
        .formatted(
            comparison.other(),
            result.command(),
            result.date(),
            result.commit().id(),
            result.commit().changed() ? " with changes" : "",
            machine.processor(),
            machine.cores(),
            machine.memoryMb(),
            machine.system(),
            machine.java(),
            settings(result),
            comparison.other(),
            comparison.goals(),
            comparison.figures());
  }

  private static String settings(Result result) {
    return result.settings().entrySet().stream()
        .filter(setting -> !setting.getKey().equals(ROWS))
        .map(setting -> setting.getKey() + " " + setting.getValue())
        .collect(Collectors.joining(", "));
  }
}
