package org.grampus.perf.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.mapreduce.columns.BatchInputFormat;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.TableInputFormat;

/** A way in which a MapReduce job gets the rows of a table. */
public enum Reader {
  /** HBase's format over a table. */
  TABLE {
    @Override
    void configure(Job job, String input, Scan scan) throws IOException {
      TableMapReduceUtil.initTableMapperJob(
          input, scan, MAPPER, NullWritable.class, NullWritable.class, job, false);
    }
  },

  /** Grampus's format over a table, through the servers too. */
  SPLIT_TABLE {
    @Override
    void configure(Job job, String input, Scan scan) throws IOException {
      TABLE.configure(job, input, scan);
      job.setInputFormatClass(TableInputFormat.class);
    }
  },

  /** HBase's format over a snapshot, whose files it links into a directory of its own first. */
  SNAPSHOT {
    @Override
    void configure(Job job, String input, Scan scan) throws IOException {
      Path restored = new Path(job.getConfiguration().get(CountingJob.RESTORE_DIRECTORY_KEY));
      TableMapReduceUtil.initTableSnapshotMapperJob(
          input, scan, MAPPER, NullWritable.class, NullWritable.class, job, false, restored);
    }
  },

  /** Grampus's format over a snapshot: the files, and no server. */
  FROZEN_SNAPSHOT {
    @Override
    void configure(Job job, String input, Scan scan) throws IOException {
      TableMapReduceUtil.initTableMapperJob(
          input,
          scan,
          MAPPER,
          NullWritable.class,
          NullWritable.class,
          job,
          false,
          SnapshotInputFormat.class);
      SnapshotInputFormat.setInput(job, input);
    }
  },

  /** Columns of the same files, many rows at a time. */
  BATCHES {
    @Override
    void configure(Job job, String input, Scan scan) throws IOException {
      job.setMapperClass(BatchCountingMapper.class);
      job.getConfiguration()
          .set(
              org.apache.hadoop.hbase.mapreduce.TableInputFormat.SCAN,
              TableMapReduceUtil.convertScanToString(scan));
      BatchInputFormat.setInput(job, input, mapping(scan));
    }
  };

  private static final Class<CountingMapper> MAPPER = CountingMapper.class;

  /**
   * Sets the input of a job.
   *
   * @param input name of a table, or of a snapshot
   */
  abstract void configure(Job job, String input, Scan scan) throws IOException;

  /** Whether the input is a snapshot. */
  public boolean ofSnapshots() {
    return this == SNAPSHOT || this == FROZEN_SNAPSHOT || this == BATCHES;
  }

  /** The columns of a scan, as bytes, without the row key; null for all that the files have. */
  private static String mapping(Scan scan) {
    List<String> columns = new ArrayList<>();
    scan.getFamilyMap()
        .forEach(
            (family, qualifiers) ->
                qualifiers.forEach(
                    qualifier ->
                        columns.add(Bytes.toString(family) + ":" + Bytes.toString(qualifier))));
    return columns.isEmpty() ? null : ":nokey," + String.join(",", columns);
  }
}
