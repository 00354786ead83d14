package org.grampus.perf.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of what a process printed, for the sentence that says how it failed. */
public final class Tail {
  private static final int LINES = 20;

  private Tail() {}

  /** The last lines of a file, behind a line that says so; empty where it is empty or missing. */
  public static String of(Path file) {
    try {
      // Not as UTF-8 alone: a log that is cut in a character must not hide the failure.
      return of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return "; its output cannot be read: " + e;
    }
  }

  /** The same of what was read from one. */
  public static String of(String output) {
    List<String> lines = output.lines().toList();
    if (lines.isEmpty()) {
      return "";
    }
    List<String> last = lines.subList(Math.max(0, lines.size() - LINES), lines.size());
    return "; its last output:\n" + String.join("\n", last);
  }
}
