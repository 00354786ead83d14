package org.grampus.server.hadoop;

import org.apache.hadoop.conf.Configuration;

/**
 * Which stream a segment of a log on HDFS has, by HBase's key and HBase's names for its logs, those
 * of its classes included.
 */
enum LogStreamKind {
  /** {@code DFSOutputStream}, as HBase's FSHLog: from one data node to the next. */
  PIPELINE,
  /** {@code FanOutOneBlockAsyncDFSOutput}, as HBase's AsyncFSWAL: to each data node at once. */
  FAN_OUT;

  /** HBase's key, of {@code WALFactory}. */
  static final String KEY = "hbase.wal.provider";

  /**
   * What a configuration asks for.
   *
   * @throws IllegalArgumentException when it is neither of HBase's two logs
   */
  static LogStreamKind of(Configuration conf) {
    String provider = conf.getTrimmed(KEY, "defaultProvider");
    return switch (provider) {
      case "defaultProvider", "asyncfs", "org.apache.hadoop.hbase.wal.AsyncFSWALProvider" ->
          FAN_OUT;
      case "filesystem", "org.apache.hadoop.hbase.wal.FSHLogProvider" -> PIPELINE;
      default ->
          throw new IllegalArgumentException(
              KEY
                  + " is \""
                  + provider
                  + "\"; a server has one log, and no other class for it: give asyncfs or filesystem");
    };
  }
}
