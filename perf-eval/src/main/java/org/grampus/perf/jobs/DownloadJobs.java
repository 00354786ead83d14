package org.grampus.perf.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.Expect;
import org.grampus.perf.process.Took;

/** Downloads on the cluster whose tasks, jobs and commands are killed. */
final class DownloadJobs {
  private static final int SPLITS = 4;
  private static final int SIGTERM_CODE = 143;

  /** Of HDFS, which takes room for a whole block of each replica when a file begins. */
  private static final int BLOCK_BYTES = 1 << 20;

  private static final long ROOM_BYTES = 3L << 20;

  /** A node of {@code HadoopSite} has room for one such map beside the application master. */
  private static final String ONE_MAP_AT_A_TIME = "mapreduce.map.memory.mb=1536";

  private static final String SNAPSHOT = "flights-kept";
  private static final String COLUMNS =
      ":key=id:string,f:carrier=carrier:string,f:distance=distance:long(text)";

  private final JobBench bench;
  private final JobTable table;

  DownloadJobs(JobBench bench, JobTable table) {
    this.bench = bench;
    this.table = table;
  }

  /** Takes the snapshot that those downloads read that can be resumed. */
  void prepare() throws IOException {
    try (Admin admin = bench.connection().getAdmin()) {
      admin.snapshot(SNAPSHOT, JobTable.NAME);
    }
  }

  private Download at(String directory) {
    return new Download(bench.hdfs(), new Path(directory));
  }

  private ClientProgram command(Download to, String format, String... options) {
    return command(to, format, SPLITS, options);
  }

  private ClientProgram command(Download to, String format, int splits, String... options) {
    List<String> arguments = new ArrayList<>(List.of("download", JobTable.NAME.getNameAsString()));
    arguments.addAll(List.of("--to", to.directory().toString(), "--format", format));
    arguments.addAll(List.of("--splits", String.valueOf(splits), "--quiet"));
    arguments.addAll(List.of(options));
    return bench.grampus(arguments.toArray(new String[0]));
  }

  private ClientProgram.Background start(String what, ClientProgram command) throws IOException {
    return command.inBackground(bench.log(what));
  }

  /** A task that is killed within its part is repeated, and the files do not show it. */
  void killTask() throws ToolException, IOException, InterruptedException {
    Path local = new Path(bench.directory("local").toUri());
    Download expected = new Download(local.getFileSystem(bench.cluster().configuration()), local);
    bench.run("a download in one process", command(expected, "parquet", "--snapshot", SNAPSHOT));
    long begun = System.nanoTime();
    String what = "a download whose task is killed";
    Download download = at("/killed-task");
    try (ClientProgram.Background running =
        start(what, command(download, "parquet", "--snapshot", SNAPSHOT, "--yarn"))) {
      String killed = bench.killTask("a task that writes its part", download::writing, running);
      running.await(0);
      Expect.equal(killed, true, bench.applications().hasFailed(killed));
    }
    Expect.equal("parts of a download whose task was killed", expected.parts(), download.parts());
    Took.print(what, begun);
  }

  /** What a job that is killed has done is not done again. */
  void killJobAndResume() throws ToolException, IOException, InterruptedException {
    String what = "a download whose job is killed";
    Download download = at("/killed-job");
    String[] options = {
      "--columns", COLUMNS, "--snapshot", SNAPSHOT, "--yarn", "-D", ONE_MAP_AT_A_TIME
    };
    long begun = System.nanoTime();
    try (ClientProgram.Background running = start(what, command(download, "csv", options))) {
      JobBench.await("a part that is done", () -> !download.done().isEmpty());
      bench.applications().killAll();
      Expect.within(what, "is kept for --resume", running.await(1));
    }
    Took.print(what, begun);
    Expect.equal(what + " is complete", false, download.isComplete());
    Path first = download.done().get(0);
    long written = bench.hdfs().getFileStatus(first).getModificationTime();
    List<String> resumed = new ArrayList<>(List.of(options));
    resumed.add("--resume");
    bench.run("the rest of it", command(download, "csv", resumed.toArray(new String[0])));
    Expect.equal("rows of a resumed download", table.lines(), download.csv());
    FileStatus last = bench.hdfs().getFileStatus(new Path(download.directory(), first.getName()));
    Expect.equal("time of a part that was done", written, last.getModificationTime());
  }

  /** A job whose command is killed goes on; its application master removes the snapshot. */
  void killCommand() throws ToolException, IOException, InterruptedException {
    String what = "a download whose command is killed";
    long begun = System.nanoTime();
    Download download = at("/killed-command");
    try (ClientProgram.Background running = start(what, command(download, "seq", "--yarn"))) {
      JobBench.await("an application", () -> bench.applications().running() == 1);
      running.kill();
    }
    Expect.equal("snapshots while the job runs", 2, bench.snapshots().size());
    JobBench.await("the end of " + what, () -> bench.applications().running() == 0);
    Expect.equal("parts of " + what, SPLITS, download.parts().size());
    requireNoSnapshot(what);
    Took.print(what, begun);
  }

  /** An application master removes a snapshot when it has told the cluster of the end. */
  private void requireNoSnapshot(String what)
      throws ToolException, IOException, InterruptedException {
    JobBench.await("no snapshot after " + what, () -> bench.snapshots().equals(List.of(SNAPSHOT)));
  }

  /** What a task has failed with is what the user reads. */
  void failTask() throws ToolException, IOException, InterruptedException {
    String said =
        bench.runFailing(
            "a download of a column that is no number",
            command(
                at("/failed"),
                "csv",
                1,
                "--columns",
                "f:note=note:long(text)",
                "--yarn",
                "-D",
                "mapreduce.map.maxattempts=1"),
            1);
    Expect.within("a download that has failed", "f:note", requireSentence(said));
    requireNoSnapshot("a download that has failed");
  }

  /** A command that is interrupted leaves no job, no snapshot and no file. */
  void interruptCommand() throws ToolException, IOException, InterruptedException {
    String what = "a download that is interrupted";
    long begun = System.nanoTime();
    Download download = at("/interrupted");
    try (ClientProgram.Background running = start(what, command(download, "seq", "--yarn"))) {
      JobBench.await("a task that writes its part", () -> !download.writing().isEmpty());
      running.terminate();
      running.await(SIGTERM_CODE);
    }
    JobBench.await("the end of the job", () -> bench.applications().running() == 0);
    Expect.equal(what + " is complete", false, download.isComplete());
    requireNoSnapshot(what);
    Took.print(what, begun);
  }

  /** The next application master goes on where one that was killed has ended. */
  void killMaster() throws ToolException, IOException, InterruptedException {
    String what = "a download whose application master is killed";
    long begun = System.nanoTime();
    Download download = at("/killed-master");
    try (ClientProgram.Background running =
        start(
            what,
            command(download, "csv", "--columns", COLUMNS, "--yarn", "-D", ONE_MAP_AT_A_TIME))) {
      JobBench.await("a part that is done", () -> !download.done().isEmpty());
      bench.applicationMaster().orElseThrow().destroyForcibly();
      running.await(0);
    }
    Expect.equal("rows of " + what, table.lines(), download.csv());
    requireNoSnapshot(what);
    Took.print(what, begun);
  }

  /** A directory with room for what comes first, and not for all parts. */
  void runOutOfSpace() throws ToolException, IOException, InterruptedException {
    String what = "a download without space";
    Download download = at("/full/download");
    bench.hdfs().mkdirs(download.directory().getParent());
    ((DistributedFileSystem) bench.hdfs())
        .setQuota(download.directory().getParent(), HdfsConstants.QUOTA_DONT_SET, ROOM_BYTES);
    ClientProgram command =
        command(
            download,
            "csv",
            "--columns",
            COLUMNS + ",f:note",
            "--yarn",
            "-D",
            "dfs.blocksize=" + BLOCK_BYTES,
            "-D",
            "mapreduce.map.maxattempts=1");
    String said = bench.runFailing(what, command, 1);
    Expect.within(what, "DiskSpace quota of /full is exceeded", requireSentence(said));
    requireNoSnapshot(what);
  }

  /** What a command says at its end: one sentence, and no stack. */
  private static String requireSentence(String output) throws ToolException {
    List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
    Expect.equal("lines of " + output, 1, lines.size());
    Expect.within("the command", "grampus: ", lines.get(0));
    return lines.get(0);
  }
}
