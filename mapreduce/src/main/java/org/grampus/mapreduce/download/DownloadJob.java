package org.grampus.mapreduce.download;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.grampus.mapreduce.input.JobJars;

/** A job that downloads: one map for each part. */
final class DownloadJob {
  private DownloadJob() {}

  /**
   * Makes the job.
   *
   * @param conf with the request, the scan, and the snapshot if one is read
   */
  static Job of(Configuration conf, DownloadRequest request) throws IOException {
    Job job = Job.getInstance(conf, "download of " + request.table());
    job.setJarByClass(DownloadMapper.class);
    job.setInputFormatClass(DownloadInputFormat.class);
    job.setMapperClass(DownloadMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(DownloadOutputFormat.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    job.setSpeculativeExecution(false); // a second attempt would read and write the same once more
    job.getConfiguration()
        .setIfUnset(MRJobConfig.SPLIT_METAINFO_MAXSIZE, "-1"); // any number of parts
    JobJars.add(job.getConfiguration());
    return job;
  }
}
