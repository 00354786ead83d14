package org.grampus.perf.pe.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * Jobs of Hadoop's local runner.
 *
 * @param work the directory below which each has its own
 */
record LocalJobs(Path work) {
  private static final int POLL_MILLIS = 50;

  /** What leads jobs to the server and to the directory. */
  Configuration configuration() throws IOException, InterruptedException {
    Configuration conf = PeServer.get().configuration();
    conf.set("fs.defaultFS", "file:///");
    conf.set("fs.file.impl", WorkFiles.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.set(WorkFiles.DIRECTORY_KEY, work.toString());
    conf.setInt("mapreduce.client.completion.pollinterval", POLL_MILLIS);
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", POLL_MILLIS);
    conf.set("hadoop.tmp.dir", work.resolve("hadoop").toString());
    return conf;
  }

  /** The directories of jobs that have run. */
  Set<Path> directories() throws IOException {
    try (Stream<Path> jobs = Files.list(work.resolve("performance_evaluation"))) {
      return jobs.collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** What a job was given: a line for each task. */
  static List<String> input(Path job) throws IOException {
    return Files.readAllLines(job.resolve("inputs").resolve("input.txt"));
  }

  /** What a job has left: a line for each task. */
  static List<String> output(Path job) throws IOException {
    return Files.readAllLines(job.resolve("outputs").resolve("part-r-00000"));
  }
}
