package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.grampus.mapreduce.files.DurableFile;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.files.Manifest;

/**
 * Where a download's files are below its directory. Until the end all of them are in one
 * subdirectory, so that nothing half written looks whole.
 *
 * @param directory that the user has named
 * @param format of the parts
 * @param run of the command, of which a download has several if it is resumed
 */
record DownloadLayout(Path directory, FileFormat format, String run) {
  private static final String UNFINISHED = "_download";

  /** The file system of the directory. */
  FileSystem fileSystem(Configuration conf) throws IOException {
    return DurableFile.fileSystem(directory, conf);
  }

  /** What is there until the download is complete. */
  Path unfinished() {
    return new Path(directory, UNFINISHED);
  }

  /** Names the run that may change something. */
  Path owner() {
    return new Path(unfinished(), "owner");
  }

  /** What the download was asked for, and its splits. */
  Path plan() {
    return new Path(unfinished(), "plan");
  }

  /** Parts that are complete, each with its report. */
  Path done() {
    return new Path(unfinished(), "done");
  }

  /** The one file of all parts once it is complete, with its report. */
  Path merged() {
    return new Path(unfinished(), "merged");
  }

  /** What tasks of all runs write. */
  Path attemptsOfAll() {
    return new Path(unfinished(), "attempts");
  }

  /** What tasks of this run write. */
  Path attempts() {
    return new Path(attemptsOfAll(), run);
  }

  /** What one attempt of a task writes. */
  Path attempt(TaskAttemptID attempt) {
    return new Path(attempts(), attempt.toString());
  }

  /** What the end of the job writes when it merges parts. */
  Path mergeAttempt() {
    return new Path(attempts(), "merge");
  }

  /** Why parts have failed. */
  Path failures() {
    return new Path(unfinished(), "failures");
  }

  /** Name of a part's file. */
  String partName(int part) {
    return String.format(Locale.ROOT, "part-%05d.%s", part, format);
  }

  /** Name of the one file of all parts, where they are merged. No data begins with {@code _}. */
  String mergedName(TableName table) {
    String name = table.getQualifierAsString();
    return (name.startsWith("_") ? "table" : "") + name + "." + format;
  }

  /** Name of the report of a file. */
  static String reportName(String file) {
    return file + ".json";
  }

  /** What the complete download has. */
  Path manifest() {
    return new Path(directory, Manifest.NAME);
  }

  /** Says that the download is complete, as of any job of Hadoop. */
  Path success() {
    return new Path(directory, "_SUCCESS");
  }
}
