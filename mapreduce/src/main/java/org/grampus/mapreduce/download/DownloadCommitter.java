package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.files.DurableFile;
import org.grampus.mapreduce.files.Manifest;
import org.grampus.mapreduce.files.PartReport;
import org.grampus.mapreduce.keys.HBaseKeys;

/**
 * Takes what tasks have written, once each. A part's report is what makes it done, and comes after
 * it; {@code _SUCCESS} is what makes the download complete, and comes last. Each step may be done
 * again after a crash between any two. A run that another one has followed changes nothing.
 */
final class DownloadCommitter extends OutputCommitter {
  private final DownloadRequest request;
  private final DownloadLayout layout;

  DownloadCommitter(DownloadRequest request) {
    this.request = request;
    this.layout = request.layout();
  }

  private DownloadDirectory directory(JobContext context) throws IOException {
    return new DownloadDirectory(context.getConfiguration(), layout);
  }

  private FileSystem fs(JobContext context) throws IOException {
    return layout.fileSystem(context.getConfiguration());
  }

  private DoneFiles parts(FileSystem fs) {
    return new DoneFiles(fs, layout.done(), layout.directory());
  }

  @Override
  public void setupJob(JobContext context) throws IOException {
    directory(context).requireOwn();
  }

  @Override
  public void setupTask(TaskAttemptContext context) throws IOException {
    fs(context).mkdirs(layout.attempt(context.getTaskAttemptID()));
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext context) throws IOException {
    return fs(context).exists(layout.attempt(context.getTaskAttemptID()));
  }

  @Override
  public void commitTask(TaskAttemptContext context) throws IOException {
    directory(context).requireOwn();
    parts(fs(context)).take(layout.attempt(context.getTaskAttemptID()));
  }

  @Override
  public void abortTask(TaskAttemptContext context) throws IOException {
    fs(context).delete(layout.attempt(context.getTaskAttemptID()), true);
  }

  @Override
  public void commitJob(JobContext context) throws IOException {
    FileSystem fs = fs(context);
    if (fs.exists(layout.success())) {
      fs.delete(layout.unfinished(), true); // which a crash has kept
      return;
    }
    DownloadDirectory directory = directory(context);
    directory.requireOwn();
    try {
      complete(context.getConfiguration(), fs, directory);
    } catch (IOException | RuntimeException e) {
      directory.failures().leave("the end", e);
      throw e;
    }
    fs.delete(layout.unfinished(), true);
  }

  private void complete(Configuration conf, FileSystem fs, DownloadDirectory directory)
      throws IOException {
    int count = DownloadPlan.countParts(fs, layout);
    DoneFiles parts = parts(fs);
    List<PartReport> files = new ArrayList<>();
    for (int part = 0; part < count; part++) {
      files.add(parts.report(layout.partName(part)));
    }
    if (request.merged()) {
      files = List.of(merge(conf, fs, files));
    } else {
      for (PartReport file : files) {
        parts.moveLast(file);
      }
    }
    String snapshot = conf.get(HBaseKeys.SNAPSHOT_NAME);
    String table = request.table().getNameAsString();
    Manifest.of(table, snapshot, request.format(), request.mapping(), files)
        .write(fs, layout.manifest());
    directory.requireOwn();
    DurableFile.write(fs, layout.success(), new byte[0]);
  }

  /** Makes one file of all parts, once, and moves it to the directory. */
  private PartReport merge(Configuration conf, FileSystem fs, List<PartReport> parts)
      throws IOException {
    DoneFiles merged = new DoneFiles(fs, layout.merged(), layout.directory());
    String name = layout.mergedName(request.table());
    if (!merged.has(name)) {
      fs.delete(layout.mergeAttempt(), true);
      Path file = new Path(layout.mergeAttempt(), name);
      PartReport report = merge(conf, fs, parts, file);
      report.write(fs, new Path(layout.mergeAttempt(), DownloadLayout.reportName(name)));
      merged.take(layout.mergeAttempt());
    }
    PartReport report = merged.report(name);
    merged.moveLast(report);
    return report;
  }

  private PartReport merge(Configuration conf, FileSystem fs, List<PartReport> parts, Path file)
      throws IOException {
    List<Path> paths = parts.stream().map(part -> new Path(layout.done(), part.name())).toList();
    long rows = parts.stream().mapToLong(PartReport::rows).sum();
    try (CountedOutput out = CountedOutput.create(fs, file)) {
      OptionalLong counted = PartMerger.of(request.format()).merge(conf, fs, paths, out);
      if (counted.orElse(rows) != rows) {
        throw new IOException(
            file + " has " + counted.getAsLong() + " rows, and its parts " + rows);
      }
      return out.report(file, rows);
    }
  }

  /** What is done stays, so that the download can go on. */
  @Override
  public void abortJob(JobContext context, JobStatus.State state) throws IOException {
    fs(context).delete(layout.attempts(), true);
  }

  @Override
  public boolean isRecoverySupported(JobContext context) {
    return true;
  }

  /** What was committed is in its place, whatever became of the application master. */
  @Override
  public void recoverTask(TaskAttemptContext context) {}

  @Override
  public boolean isCommitJobRepeatable(JobContext context) {
    return true;
  }
}
