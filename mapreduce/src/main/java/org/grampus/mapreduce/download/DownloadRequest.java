package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.grampus.engine.TableFileRequest;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.mapreduce.snapshot.Snapshot;

/**
 * What a job is to download, as its configuration has it.
 *
 * @param layout where the files go
 * @param table whose rows are wanted
 * @param mapping the columns with their names and types (docs/downloads.md)
 * @param codec that the files are compressed with; null for text
 * @param throughServers whether the rows come from region servers, and not from a snapshot's files
 * @param merged whether all parts become one file at the end
 */
record DownloadRequest(
    DownloadLayout layout,
    TableName table,
    String mapping,
    String codec,
    boolean throughServers,
    boolean merged) {
  private static final String DIRECTORY_KEY = JobKeys.DOWNLOAD + "directory";
  private static final String RUN_KEY = JobKeys.DOWNLOAD + "run";
  private static final String FORMAT_KEY = JobKeys.DOWNLOAD + "format";
  private static final String MAPPING_KEY = JobKeys.DOWNLOAD + "columns";
  private static final String CODEC_KEY = JobKeys.DOWNLOAD + "compression";
  private static final String SERVERS_KEY = JobKeys.DOWNLOAD + "servers";
  private static final String MERGED_KEY = JobKeys.DOWNLOAD + "merged";
  private static final String CREATED_KEY = JobKeys.DOWNLOAD + "snapshot.created";

  /** What a configuration has. */
  static DownloadRequest of(Configuration conf) throws IOException {
    return new DownloadRequest(
        new DownloadLayout(
            new Path(JobKeys.required(conf, DIRECTORY_KEY)),
            FileFormat.of(JobKeys.required(conf, FORMAT_KEY)),
            JobKeys.required(conf, RUN_KEY)),
        TableName.valueOf(JobKeys.required(conf, TableInputFormat.INPUT_TABLE)),
        JobKeys.required(conf, MAPPING_KEY),
        conf.get(CODEC_KEY),
        conf.getBoolean(SERVERS_KEY, false),
        conf.getBoolean(MERGED_KEY, false));
  }

  /** Writes it to a job's configuration. */
  void write(Configuration conf) {
    conf.set(DIRECTORY_KEY, layout.directory().toString());
    conf.set(RUN_KEY, layout.run());
    conf.set(FORMAT_KEY, layout.format().toString());
    conf.set(TableInputFormat.INPUT_TABLE, table.getNameAsString());
    conf.set(MAPPING_KEY, mapping);
    if (codec != null) {
      conf.set(CODEC_KEY, codec);
    }
    conf.setBoolean(SERVERS_KEY, throughServers);
    conf.setBoolean(MERGED_KEY, merged);
  }

  /** Notes when the snapshot was taken, since a later one of its name has other rows. */
  static void noteSnapshot(Configuration conf, Snapshot snapshot) {
    conf.set(CREATED_KEY, snapshot.created().toString());
  }

  /** The format of the files. */
  FileFormat format() {
    return layout.format();
  }

  /**
   * One file of it, for the engine.
   *
   * @param part its number; of parts that are merged only the first has a header
   * @param snapshot that is read, or null
   * @param rowsAscend whether its rows come in the order of their keys
   */
  TableFileRequest tableFile(int part, String snapshot, boolean rowsAscend) {
    boolean parquet = format() == FileFormat.PARQUET;
    return new TableFileRequest(
        mapping,
        format().toString(),
        codec,
        rowsAscend,
        parquet && snapshot != null ? Map.of("grampus.snapshot", snapshot) : null,
        !merged || part == 0);
  }

  /** The scan that tasks make of a job's configuration. */
  Scan scan(Configuration conf) throws IOException {
    return ScanSettings.of(conf, throughServers ? ReaderKind.TABLE : ReaderKind.SNAPSHOT).scan();
  }

  /**
   * What has to be the same when a download goes on: everything that says which rows and columns
   * come, and in which form. One line for each.
   */
  String wanted(Configuration conf) throws IOException {
    Map<String, String> all = new TreeMap<>();
    all.put("table", table.getNameAsString());
    all.put("columns", mapping);
    all.put("compression", String.valueOf(codec));
    all.put("format", format().toString());
    all.put("merged", String.valueOf(merged));
    all.put("scan", TableMapReduceUtil.convertScanToString(scan(conf)));
    all.put("source", source(conf));
    StringBuilder text = new StringBuilder();
    all.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text.toString();
  }

  private String source(Configuration conf) throws IOException {
    if (throughServers) {
      return ZKConfig.getZooKeeperClusterKey(conf);
    }
    String snapshot = conf.get(HBaseKeys.SNAPSHOT_NAME);
    return CommonFSUtils.getRootDir(conf) + " " + snapshot + " of " + conf.get(CREATED_KEY);
  }
}
