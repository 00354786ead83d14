package org.grampus.mapreduce.load;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.engine.ColumnFileReport;

/**
 * Column files, as the tasks of a job have counted them or as a directory has them.
 *
 * @param files how many
 * @param bytes of all of them
 */
record FileTotals(long files, long bytes) {
  private static final String GROUP = "Grampus column files";
  private static final String FILES = "FILES";
  private static final String BYTES = "BYTES";

  /** Counts a file that a task has completed; Hadoop forgets it if the task fails later. */
  static void add(TaskAttemptContext task, ColumnFileReport file) {
    task.getCounter(GROUP, FILES).increment(1);
    task.getCounter(GROUP, BYTES).increment(file.bytes());
  }

  /** What all tasks have counted. */
  static FileTotals of(Counters counters) {
    return new FileTotals(
        counters.findCounter(GROUP, FILES).getValue(),
        counters.findCounter(GROUP, BYTES).getValue());
  }

  /** What a loader would find; nothing where there is no directory. */
  static FileTotals below(Path directory, Configuration conf) throws IOException {
    FileSystem fs = directory.getFileSystem(conf);
    long files = 0;
    long bytes = 0;
    if (fs.exists(directory)) {
      for (FileRange file : FileRange.below(fs, directory, conf)) {
        files++;
        bytes += file.bytes();
      }
    }
    return new FileTotals(files, bytes);
  }

  @Override
  public String toString() {
    return files + " column files of " + bytes + " bytes";
  }
}
