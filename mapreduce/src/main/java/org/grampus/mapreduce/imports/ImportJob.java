package org.grampus.mapreduce.imports;

import com.github.luben.zstd.Zstd;
import io.airlift.compress.Decompressor;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.values.bitpacking.BytePacker;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetReader;
import org.grampus.mapreduce.input.JobJars;

/** A job that imports: one map for each split of the files. */
final class ImportJob {
  private static final String JACKSON =
      "shaded.parquet.com.fasterxml.jackson.databind.ObjectMapper";

  /** Of what Parquet reads statistics of shapes with, and loads for every file. */
  private static final String GEOMETRY = "org.locationtech.jts.io.ParseException";

  private ImportJob() {}

  /**
   * Makes the job.
   *
   * @param paths of files and directories, or patterns of them
   */
  static Job of(Configuration conf, ImportRequest request, Path[] paths) throws IOException {
    Job job = Job.getInstance(conf, "import into " + request.table());
    Configuration ofJob = job.getConfiguration();
    request.write(ofJob);
    FileInputFormat.setInputPaths(job, paths);
    FileInputFormat.setInputDirRecursive(job, true);
    job.setJarByClass(ImportMapper.class);
    job.setInputFormatClass(ImportInputFormat.class);
    job.setMapperClass(ImportMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setMapOutputKeyClass(ImmutableBytesWritable.class);
    job.setMapOutputValueClass(Put.class);
    // what a site lets jobs leave out would be lost in silence
    ofJob.setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 0);
    ofJob.setInt(MRJobConfig.REDUCE_FAILURES_MAXPERCENT, 0);
    job.setSpeculativeExecution(false); // a second attempt would write the same once more
    // JSON sources need Gson's Strictness, which Hadoop's own older Gson lacks.
    ofJob.setBooleanIfUnset(MRJobConfig.MAPREDUCE_JOB_USER_CLASSPATH_FIRST, true);
    ofJob.setIfUnset(MRJobConfig.SPLIT_METAINFO_MAXSIZE, "-1"); // any number of splits
    JobJars.add(ofJob);
    addParquet(ofJob);
    return job;
  }

  /** A class that Parquet needs at run time alone. */
  private static Class<?> hidden(String name) throws IOException {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IOException("the class path lacks " + name + ", which Parquet needs", e);
    }
  }

  private static void addParquet(Configuration conf) throws IOException {
    TableMapReduceUtil.addDependencyJarsForClasses(
        conf,
        ParquetReader.class,
        Group.class,
        BytesInput.class,
        BytePacker.class,
        Util.class,
        Zstd.class,
        Decompressor.class,
        hidden(JACKSON),
        hidden(GEOMETRY));
  }
}
