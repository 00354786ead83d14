package org.grampus.mapreduce.download;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.grampus.mapreduce.command.JobConfiguration;
import org.grampus.mapreduce.files.PartReport;

/** Writes the part of its split, and its report, to the directory of its attempt. */
public final class DownloadMapper
    extends Mapper<NullWritable, PartProgress, NullWritable, NullWritable> {
  /** The group of the counters of what is written. */
  static final String COUNTERS = "Grampus download";

  static final String ROWS = "ROWS_WRITTEN";
  static final String BYTES = "BYTES_WRITTEN";

  /** For the framework. */
  public DownloadMapper() {}

  @Override
  protected void map(NullWritable key, PartProgress progress, Context context)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    DownloadRequest request = DownloadRequest.of(conf);
    DownloadLayout layout = request.layout();
    DownloadDirectory directory = new DownloadDirectory(conf, layout);
    directory.requireOwn();
    if (JobConfiguration.isLocal(conf) && directory.failures().any() != null) {
      return; // the job fails at its end, which need not be far
    }
    FileSystem fs = layout.fileSystem(conf);
    String name = layout.partName(progress.part().number());
    Path attempt = layout.attempt(context.getTaskAttemptID());
    progress.listener(
        (rows, bytes) -> {
          context.getCounter(COUNTERS, ROWS).increment(rows);
          context.getCounter(COUNTERS, BYTES).increment(bytes);
          context.progress();
        });
    try {
      PartReport report =
          new PartWriter(context, request, progress).write(fs, new Path(attempt, name));
      report.write(fs, new Path(attempt, DownloadLayout.reportName(name)));
    } catch (IOException | RuntimeException | Error e) {
      makeRoom(fs, attempt, e);
      directory.failures().leave(name, e);
      throw e;
    }
  }

  /** A full disk has no room for the reason until the part is gone. */
  private static void makeRoom(FileSystem fs, Path attempt, Throwable failure) {
    try {
      fs.delete(attempt, true);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
