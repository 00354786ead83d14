package org.grampus.perf.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.MeasuredServer;

/**
 * HBase's MapReduce tools in the local job runner, configured for one server. For one thread, and
 * one tool at a time.
 */
final class HBaseTools {
  /** What they take for all versions. */
  static final String ALL_VERSIONS = String.valueOf(Integer.MAX_VALUE);

  /** One takes some ten seconds. */
  private static final long SECONDS_MAX = 600;

  private final MeasuredServer server;
  private final Path work;
  private int runs;

  /**
   * Of a server.
   *
   * @param work a directory for their output and files
   */
  HBaseTools(MeasuredServer server, Path work) throws IOException {
    this.server = server;
    this.work = Files.createDirectories(work);
  }

  /** A place for files between tools, which is not there yet. */
  Path files(String name) {
    return work.resolve(name);
  }

  /**
   * Runs one; returns what it has printed.
   *
   * @param serversRun ends it when it is not so any more
   * @throws ToolException when it fails or takes too long, or a server has ended
   */
  String run(String tool, List<String> arguments, BooleanSupplier serversRun)
      throws ToolException, IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add("run");
    command.add("org.apache.hadoop.hbase.mapreduce." + tool);
    command.addAll(arguments);
    ClientProgram program =
        server
            .client(command)
            .in(work)
            .environment("GRAMPUS_CLIENT_OPTS", ClientProgram.SMALL_JVM)
            .environment("GRAMPUS_DATA_DIR", work.toString())
            .whileRuns(serversRun)
            .within(SECONDS_MAX);
    return program.run(log(tool)).output();
  }

  private Path log(String tool) {
    runs++;
    return work.resolve(String.format(Locale.ROOT, "%02d-%s.log", runs, tool));
  }
}
