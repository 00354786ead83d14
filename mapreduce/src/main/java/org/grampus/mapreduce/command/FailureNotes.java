package org.grampus.mapreduce.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.mapreduce.files.DurableFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why tasks have failed, for the process that has started their job: the exception of a task stays
 * on its machine, and Hadoop's local runner has no place for it.
 *
 * @param fs that all tasks reach
 * @param directory of a file for each task that has failed
 */
public record FailureNotes(FileSystem fs, Path directory) {
  /**
   * Why a task has failed.
   *
   * @param part name of what has failed
   * @param reason a sentence
   */
  public record Note(String part, String reason) {
    @Override
    public String toString() {
      return part + ": " + reason;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(FailureNotes.class);

  /**
   * Leaves the reason of a failure.
   *
   * @param part name of what has failed
   */
  public void leave(String part, Throwable failure) {
    Path path = new Path(directory, part);
    try {
      String reason = String.valueOf(failure.getMessage());
      DurableFile.write(fs, path, reason.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.warn("cannot leave the reason of a failure in {}", path, e);
    }
  }

  /** A note, or null when no task has left one. */
  public Note any() throws IOException {
    if (!fs.exists(directory)) {
      return null;
    }
    for (FileStatus status : fs.listStatus(directory)) {
      if (status.getLen() > 0) { // a full disk takes names and nothing else
        Path path = status.getPath();
        try (FSDataInputStream in = fs.open(path)) {
          return new Note(path.getName(), IOUtils.toString(in, StandardCharsets.UTF_8));
        }
      }
    }
    return null;
  }

  /** Removes all notes, which are of no use behind their job; what stays is said in the log. */
  public void remove() {
    try {
      if (!fs.delete(directory, true) && fs.exists(directory)) {
        LOG.warn("the file system leaves {}", directory);
      }
    } catch (IOException e) {
      LOG.warn("cannot remove {}", directory, e);
    }
  }
}
