package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The file to which Hadoop's sink writes all metrics of a server, once in each period. */
public final class SinkFile {
  private static final String SERVER = " regionserver.Server: ";

  private SinkFile() {}

  /**
   * Periods that the file has: lines of the server's own bean. The sink begins the file anew after
   * regions have come or gone.
   */
  public static long periods(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.contains(SERVER)).count();
    }
  }
}
