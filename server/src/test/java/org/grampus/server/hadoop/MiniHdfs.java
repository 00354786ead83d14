package org.grampus.server.hadoop;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** HDFS in this JVM: a name node and three data nodes, each with a replica of every block. */
final class MiniHdfs implements AutoCloseable {
  private static final int DATA_NODES = 3;

  private final Configuration conf = HBaseConfiguration.create();
  private final MiniDFSCluster cluster;

  MiniHdfs(Path directory) throws IOException {
    // Other tests share a local file system that data nodes do not take, and do not take theirs.
    FileSystem.closeAll();
    conf.setInt("dfs.replication", DATA_NODES);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setBoolean(
        "dfs.client.block.write.replace-datanode-on-failure.best-effort", true); // no fourth node
    cluster =
        new MiniDFSCluster.Builder(conf, new File(directory.toUri()))
            .numDataNodes(DATA_NODES)
            .build();
    cluster.waitActive();
    conf.set("hbase.rootdir", uri("/hbase"));
    conf.set("fs.defaultFS", uri("/"));
  }

  /** Settings of a server whose root directory is {@code /hbase} here. */
  Configuration conf() {
    return new Configuration(conf);
  }

  String uri(String path) {
    return cluster.getURI() + path;
  }

  DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /** A data node dies, in the middle of what it writes. */
  MiniDFSCluster.DataNodeProperties stopDataNode() {
    return cluster.stopDataNode(0);
  }

  /** All that were stopped come back. */
  void start(List<MiniDFSCluster.DataNodeProperties> dataNodes) throws IOException {
    for (MiniDFSCluster.DataNodeProperties dataNode : dataNodes) {
      cluster.restartDataNode(dataNode);
    }
    cluster.waitActive();
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown();
    FileSystem.closeAll();
  }
}
