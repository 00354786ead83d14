package org.grampus.perf.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The file to which {@link RecordFileSink} writes all metrics of a server, once in each period. */
public final class SinkFile {
  private static final String SERVER = " regionserver.Server: ";

  private SinkFile() {}

  /**
   * Periods that the file has: lines of the server's own bean.
   *
   * @param sinceMillis the time that counts begins then, in milliseconds since 1970
   */
  public static long periods(Path file, long sinceMillis) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    // Not as UTF-8: the last character may be cut.
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> millis(line) >= sinceMillis).count();
    }
  }

  /** The time of a line of that bean; none is as long ago. */
  private static long millis(String line) {
    int end = line.indexOf(SERVER);
    return end < 0 ? Long.MIN_VALUE : Long.parseLong(line.substring(0, end));
  }
}
