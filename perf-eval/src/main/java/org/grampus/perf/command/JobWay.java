package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.scan.CountingJob;
import org.grampus.perf.scan.Reader;

/**
 * How a job reads a server's table. Of those that a measurement has, the first is what the others
 * are compared with.
 */
enum JobWay {
  /** What most jobs do today. */
  HBASE_TABLE(ServerKind.HBASE, Reader.TABLE, "HBase: TableInputFormat"),
  /** HBase's reader of files. */
  HBASE_SNAPSHOT(ServerKind.HBASE, Reader.SNAPSHOT, "HBase: TableSnapshotInputFormat"),
  /** An unchanged job on Grampus. */
  STOCK_TABLE(ServerKind.GRAMPUS, Reader.TABLE, "Grampus: HBase's TableInputFormat"),
  /** Splits of equal bytes, through the server. */
  TABLE(ServerKind.GRAMPUS, Reader.SPLIT_TABLE, "Grampus: TableInputFormat"),
  /** Files without the server. */
  SNAPSHOT(ServerKind.GRAMPUS, Reader.FROZEN_SNAPSHOT, "Grampus: SnapshotInputFormat"),
  /** Vectors of columns without the server. */
  BATCHES(ServerKind.GRAMPUS, Reader.BATCHES, "Grampus: batches"),
  /** Files of columns from files of the engine, by the compressor that a download usually has. */
  PARQUET(ServerKind.GRAMPUS, "zstd", "Grampus: download to Parquet"),
  /** The same by a fast compressor. */
  PARQUET_SNAPPY(ServerKind.GRAMPUS, "snappy", "Grampus: download to Parquet, Snappy"),
  /** The same without one. */
  PARQUET_NONE(ServerKind.GRAMPUS, "none", "Grampus: download to Parquet, not compressed"),
  /** Columns of files in Spark. */
  SPARK(ServerKind.GRAMPUS, null, null, "Grampus: Spark");

  private final ServerKind server;

  /** Of a job of rows or batches; null otherwise. */
  private final Reader reader;

  /** Of a download; null otherwise. */
  private final String compression;

  private final String title;

  JobWay(ServerKind server, Reader reader, String title) {
    this(server, reader, null, title);
  }

  JobWay(ServerKind server, String compression, String title) {
    this(server, null, compression, title);
  }

  JobWay(ServerKind server, Reader reader, String compression, String title) {
    this.server = server;
    this.reader = reader;
    this.compression = compression;
    this.title = title;
  }

  /** Whose table it reads. */
  ServerKind server() {
    return server;
  }

  /**
   * Arguments of {@code bin/grampus}; Spark has a program of its own, {@link SparkQuery}.
   *
   * @param mappers maps at a time, and splits where they can be chosen
   * @param directory of its own, which does not exist
   */
  List<String> arguments(JobWork work, int mappers, int splits, Path directory) {
    if (this == SPARK) {
      throw new IllegalStateException("Spark is no command of bin/grampus");
    }
    List<String> arguments = new ArrayList<>();
    if (reader == null) {
      arguments.addAll(List.of("download", work.table(), "--snapshot=" + work.snapshot()));
      arguments.addAll(List.of("--to=" + directory.toUri(), "--format=parquet", "--quiet"));
      arguments.add("--compression=" + compression);
      arguments.addAll(List.of("-D", "mapreduce.local.map.tasks.maximum=" + mappers));
    } else {
      String input = reader.ofSnapshots() ? work.snapshot() : work.table();
      arguments.addAll(List.of("run", CountingJob.class.getName(), input, "--reader=" + reader));
      arguments.addAll(List.of("--mappers=" + mappers, "--restore-directory=" + directory.toUri()));
    }
    arguments.add("--splits=" + splits);
    arguments.addAll(work.options());
    return arguments;
  }

  @Override
  public String toString() {
    return title;
  }
}
