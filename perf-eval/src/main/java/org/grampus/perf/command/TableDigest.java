package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.compat.suite.CellDigest;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;

/**
 * What a table holds, as a scan of all its cells sees it.
 *
 * @param sha256 over every part of every cell
 */
record TableDigest(long rows, long cells, String sha256) {
  private static final Pattern LINE =
      Pattern.compile("(?m)^rows=(\\d+) cells=(\\d+) digest=([0-9a-f]+)$");

  /**
   * Reads a table.
   *
   * @param log where the client's output goes
   * @param options of {@link CellDigest}
   */
  static TableDigest of(MeasuredServer server, Path log, String table, String... options)
      throws ToolException, IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("run", CellDigest.class.getName(), table));
    arguments.addAll(List.of(options));
    return parse(
        server
            .client(arguments)
            .environment("GRAMPUS_CLIENT_OPTS", "-Xmx1g -Dhbase.root.logger=ERROR")
            .run(log)
            .output());
  }

  static TableDigest parse(String output) throws ToolException {
    Matcher line = LINE.matcher(output);
    if (!line.find()) {
      throw new ToolException("the digest of a table is missing in: " + output);
    }
    return new TableDigest(
        Long.parseLong(line.group(1)), Long.parseLong(line.group(2)), line.group(3));
  }

  @Override
  public String toString() {
    return "rows=" + rows + " cells=" + cells + " digest=" + sha256;
  }
}
