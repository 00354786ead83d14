package org.grampus.perf.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.Expect;

/** Imports on the cluster of what a download on it has written, by puts and as column files. */
final class ImportJobs {
  private static final int PARTS = 4;
  private static final String COLUMNS =
      ":key=id:string,f:carrier=carrier:string,f:distance=distance:long(text),f:note=note:string";

  private final JobBench bench;

  ImportJobs(JobBench bench) {
    this.bench = bench;
  }

  /**
   * Each table that is imported has the cells of the one that was downloaded. Column files are made
   * on this machine's disk, where the server's root is.
   */
  void run() throws ToolException, IOException, InterruptedException {
    for (String format : List.of("parquet", "csv")) {
      String source = "/exported-" + format;
      String said =
          bench.run(
              "a download to " + format,
              bench.loggingGrampus(
                  "download",
                  JobTable.NAME.getNameAsString(),
                  "--to=" + source,
                  "--format=" + format,
                  "--columns=" + COLUMNS,
                  "--splits=" + PARTS,
                  "--yarn",
                  "--quiet"));
      bench.expectMoreSplitsThanRegions("the download to " + format, JobTable.NAME, said);
      importAs(format + "_puts", source);
      String staging = "--staging=" + bench.directory("staging-" + format).toUri();
      importAs(format + "_files", source, "--bulk", staging);
    }
  }

  private void importAs(String name, String source, String... options)
      throws ToolException, IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("import", source, "--table=" + name));
    arguments.addAll(List.of("--regions=" + JobTable.REGIONS, "--yarn", "--quiet"));
    arguments.addAll(List.of(options));
    ClientProgram command = bench.loggingGrampus(arguments.toArray(new String[0]));
    String said = bench.run("an import " + name, command);
    bench.expectMoreSplitsThanRegions("the import " + name, TableName.valueOf(name), said);
    List<String> wanted = JobTable.values(bench.connection(), JobTable.NAME);
    List<String> found = JobTable.values(bench.connection(), TableName.valueOf(name));
    Expect.equal("number of cells of " + name, wanted.size(), found.size());
    Expect.equal(name + " has what was downloaded", true, found.equals(wanted));
  }
}
