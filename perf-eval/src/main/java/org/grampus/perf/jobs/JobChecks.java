package org.grampus.perf.jobs;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;

/** The checks of jobs on a cluster, by name, in the order in which they run. */
public final class JobChecks {
  private static final int ROWS = 12_000;

  /** Something that must be seen. */
  @FunctionalInterface
  private interface Check {
    void run() throws ToolException, IOException, InterruptedException;
  }

  private final Map<String, Check> checks = new LinkedHashMap<>();

  /**
   * Fills a table that the checks read.
   *
   * @param isLong whether there are all of them
   */
  public JobChecks(JobBench bench, boolean isLong) throws IOException {
    JobTable table = new JobTable(ROWS);
    table.fill(bench.connection());
    DownloadJobs downloads = new DownloadJobs(bench, table);
    downloads.prepare();
    checks.put("examples", new ExampleJobs(bench, table)::run);
    checks.put("pe", new PeJob(bench)::run);
    checks.put("import", new ImportJobs(bench)::run);
    KilledJobs killed = new KilledJobs(bench, table);
    checks.put("killed-mapper", killed::killMappers);
    checks.put("killed-own-snapshot", killed::killJobWithOwnSnapshot);
    checks.put("killed-task", downloads::killTask);
    checks.put("killed-job", downloads::killJobAndResume);
    checks.put("killed-command", downloads::killCommand);
    checks.put("failed-task", downloads::failTask);
    if (isLong) {
      checks.put("interrupted-command", downloads::interruptCommand);
      checks.put("killed-master", downloads::killMaster);
      checks.put("no-space", downloads::runOutOfSpace);
    }
  }

  /**
   * Runs those whose names begin with one of these, or all; returns how many.
   *
   * @throws ToolException at the first that fails, or when there is none
   */
  public int run(List<String> prefixes) throws ToolException, IOException, InterruptedException {
    int count = 0;
    for (Map.Entry<String, Check> check : checks.entrySet()) {
      if (prefixes.isEmpty() || prefixes.stream().anyMatch(check.getKey()::startsWith)) {
        check.getValue().run();
        count++;
      }
    }
    if (count == 0) {
      throw new ToolException("no check is called so; there are " + checks.keySet());
    }
    return count;
  }
}
