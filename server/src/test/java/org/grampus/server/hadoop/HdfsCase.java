package org.grampus.server.hadoop;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.grampus.server.region.RegionFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** HDFS in this JVM, and servers whose region and log are on it. */
abstract class HdfsCase {
  @TempDir java.nio.file.Path directory;

  MiniHdfs hdfs;
  Configuration conf;
  RegionFiles files;

  @BeforeEach
  void start() throws IOException {
    hdfs = new MiniHdfs(directory);
    conf = hdfs.conf();
    useDirectories();
  }

  /** Those of the configuration as it is now, with the table's descriptor. */
  void useDirectories() throws IOException {
    files = new RegionFiles(conf);
    HdfsServer.describeTable(files);
  }

  void useLog(String provider) throws IOException {
    conf.set(LogStreamKind.KEY, provider);
    files = new RegionFiles(conf);
  }

  @AfterEach
  void stop() throws IOException {
    hdfs.close();
  }

  HdfsServer server(String name) {
    return new HdfsServer(files, name);
  }

  /** What the master does with the log of a dead server: out of its reach, split, moved away. */
  void recover(String dead, HdfsServer splitter) throws IOException {
    splitter.recover(dead, hdfs.fs(), files.walRoot());
  }

  static String row(int number) {
    return HdfsServer.row(number);
  }
}
