package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.columns.ColumnsSplits;

/**
 * A task for each part that is not done: of the splits of a snapshot or a table, each of which is
 * one value.
 */
public final class DownloadInputFormat extends InputFormat<NullWritable, PartProgress> {
  /** For the framework. */
  public DownloadInputFormat() {}

  /** Plans a new download, or takes the rest of one whose plan is there. */
  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    DownloadRequest request = DownloadRequest.of(conf);
    DownloadLayout layout = request.layout();
    FileSystem fs = layout.fileSystem(conf);
    DownloadDirectory directory = new DownloadDirectory(conf, layout);
    directory.requireOwn();
    if (!fs.exists(layout.plan())) {
      DownloadPlan plan = plan(request, context);
      directory.requireOwn();
      plan.write(fs, layout);
    }
    DownloadPlan.requireSame(fs, layout, request.wanted(conf));
    DoneFiles done = new DoneFiles(fs, layout.done(), layout.directory());
    List<InputSplit> open = new ArrayList<>();
    for (PartSplit part : DownloadPlan.read(fs, layout).parts()) {
      if (!done.has(layout.partName(part.number()))) {
        open.add(part);
      }
    }
    return open;
  }

  private static DownloadPlan plan(DownloadRequest request, JobContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    String wanted = request.wanted(conf);
    List<PartSplit> parts = parts(context, request.throughServers());
    if (parts.isEmpty()) {
      parts.add(PartSplit.of(0, null)); // so that there is a file, with its header or schema
    }
    return new DownloadPlan(wanted, parts);
  }

  /** The rows that a job reads in parts, in the order of their keys. */
  static List<PartSplit> parts(JobContext context, boolean throughServers) throws IOException {
    List<PartSplit> parts = new ArrayList<>();
    for (InputSplit split : ColumnsSplits.plan(context, throughServers)) {
      parts.add(PartSplit.of(parts.size(), split));
    }
    return parts;
  }

  @Override
  public RecordReader<NullWritable, PartProgress> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new PartReader();
  }
}
