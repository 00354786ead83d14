package org.grampus.perf.pe.job;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directory of a job below the user's: {@code performance_evaluation/yyyyMMddHHmmss}, as that
 * of HBase's class, with the lines of its tasks in {@code inputs}, milliseconds in {@code outputs}
 * and what its tasks have done in {@code results}. No two jobs have the same.
 */
final class JobDirectory {
  private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
  private static final String INPUT = "inputs/input.txt";

  private final FileSystem files;
  private final Path path;

  private JobDirectory(FileSystem files, Path path) {
    this.files = files;
    this.path = path;
  }

  /**
   * Makes a new one.
   *
   * @param epochMillis the time that it is called after
   * @param lines of its tasks
   */
  static JobDirectory create(Configuration conf, long epochMillis, List<String> lines)
      throws IOException {
    FileSystem files = FileSystem.get(conf);
    Path parent = new Path("performance_evaluation");
    String name = NAME.withZone(ZoneId.systemDefault()).format(Instant.ofEpochMilli(epochMillis));
    int attempt = 0;
    while (true) {
      Path path = new Path(parent, attempt == 0 ? name : name + "-" + attempt);
      attempt++;
      if (files.exists(path)) {
        continue;
      }
      try (OutputStream out = files.create(new Path(path, INPUT), false)) {
        out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        return new JobDirectory(files, path);
      } catch (FileAlreadyExistsException e) {
        // another job was faster; the next name
      }
    }
  }

  String name() {
    return path.getName();
  }

  Path inputs() {
    return new Path(path, INPUT).getParent();
  }

  Path outputs() {
    return new Path(path, "outputs");
  }

  Path results() {
    return new Path(files.makeQualified(path), "results");
  }
}
