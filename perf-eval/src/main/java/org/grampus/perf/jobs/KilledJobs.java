package org.grampus.perf.jobs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.Expect;
import org.grampus.perf.process.Took;

/** Jobs over Grampus's input formats whose mappers are killed, or that are killed themselves. */
final class KilledJobs {
  private static final long SPLITS = 3;

  private final JobBench bench;
  private final JobTable table;

  KilledJobs(JobBench bench, JobTable table) {
    this.bench = bench;
    this.table = table;
  }

  private ClientProgram keyList(String way, Path output) {
    return bench.loggingGrampus(
        "run",
        KeyList.class.getName(),
        "-Dgrampus.mapreduce.splits=" + SPLITS,
        way,
        JobTable.NAME.getNameAsString(),
        output.toString());
  }

  /** A mapper that dies within its rows is repeated; each row comes once, and no snapshot stays. */
  void killMappers() throws ToolException, IOException, InterruptedException {
    for (String way : List.of("table", "snapshot")) {
      String what = "a job over a " + way + " whose mapper is killed";
      long begun = System.nanoTime();
      List<String> before = bench.snapshots();
      Path output = new Path("/killed-mapper-" + way);
      String killed;
      String said;
      try (ClientProgram.Background running = keyList(way, output).inBackground(bench.log(what))) {
        killed = bench.killTask("a mapper within its rows", () -> marks(output), running);
        said = running.await(0);
      }
      Expect.equal(killed + " has failed", true, bench.applications().hasFailed(killed));
      Expect.equal("splits of " + what, List.of(SPLITS), new ClientOutput(said).splits());
      Expect.equal("row keys of " + what, table.keys(), keys(output));
      JobBench.await("no snapshot after " + what, () -> bench.snapshots().equals(before));
      Took.print(what, begun);
    }
  }

  /** The application master removes the snapshot of a job that is killed. */
  void killJobWithOwnSnapshot() throws ToolException, IOException, InterruptedException {
    String what = "a job over its own snapshot that is killed";
    long begun = System.nanoTime();
    List<String> before = bench.snapshots();
    Path output = new Path("/killed-own-snapshot");
    try (ClientProgram.Background running =
        keyList("snapshot", output).inBackground(bench.log(what))) {
      JobBench.await("a mapper within its rows", () -> !marks(output).isEmpty());
      Expect.equal("snapshots while it runs", before.size() + 1, bench.snapshots().size());
      bench.applications().killJobs();
      running.await(1);
    }
    JobBench.await("no snapshot after " + what, () -> bench.snapshots().equals(before));
    Took.print(what, begun);
  }

  private List<String> marks(Path output) throws IOException {
    try {
      List<String> names = new ArrayList<>();
      for (FileStatus mark : bench.hdfs().listStatus(KeyList.marks(output))) {
        names.add(mark.getPath().getName());
      }
      return names;
    } catch (FileNotFoundException e) {
      return List.of(); // not yet
    }
  }

  private List<String> keys(Path output) throws IOException {
    List<String> keys = new ArrayList<>();
    for (long part = 0; part < SPLITS; part++) {
      keys.addAll(bench.lines(new Path(output, String.format(Locale.ROOT, "part-m-%05d", part))));
    }
    keys.sort(null);
    return keys;
  }
}
