package org.grampus.server.hadoop;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * HDFS in this JVM: a name node and three data nodes, each with a replica of every block. Its
 * superuser is another user than that of the tests, who owns {@code /hbase}.
 */
final class MiniHdfs implements AutoCloseable {
  private static final int DATA_NODES = 3;
  private static final String SUPERUSER = "hdfs";
  private static final FsPermission EVERYONE = new FsPermission((short) 0777);

  private final Configuration conf = HBaseConfiguration.create();
  private final MiniDFSCluster cluster;
  private final DistributedFileSystem superusers;

  MiniHdfs(java.nio.file.Path directory) throws IOException {
    // Other tests share a local file system that data nodes do not take, and do not take theirs.
    FileSystem.closeAll();
    conf.setInt("dfs.replication", DATA_NODES);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setBoolean(
        "dfs.client.block.write.replace-datanode-on-failure.best-effort", true); // no fourth node
    cluster = as(SUPERUSER, () -> start(directory));
    conf.set("hbase.rootdir", uri("/hbase"));
    conf.set("fs.defaultFS", uri("/"));
    superusers = as(SUPERUSER, cluster::getFileSystem);
    Path root = new Path("/hbase");
    superusers.mkdirs(root);
    superusers.setOwner(root, UserGroupInformation.getLoginUser().getShortUserName(), null);
    superusers.setPermission(new Path("/"), EVERYONE);
  }

  private MiniDFSCluster start(java.nio.file.Path directory) throws IOException {
    MiniDFSCluster started =
        new MiniDFSCluster.Builder(conf, new File(directory.toUri()))
            .numDataNodes(DATA_NODES)
            .build();
    started.waitActive();
    return started;
  }

  /** Does something as another user. */
  static <T> T as(String user, PrivilegedExceptionAction<T> action) throws IOException {
    try {
      return UserGroupInformation.createUserForTesting(user, new String[] {user}).doAs(action);
    } catch (InterruptedException e) {
      throw new InterruptedIOException(e.toString());
    }
  }

  /** Settings of a server whose root directory is {@code /hbase} here. */
  Configuration conf() {
    return new Configuration(conf);
  }

  String uri(String path) {
    return cluster.getURI() + path;
  }

  /** The superuser's. */
  DistributedFileSystem fs() {
    return superusers;
  }

  /** A data node dies, in the middle of what it writes. */
  MiniDFSCluster.DataNodeProperties stopDataNode() {
    return cluster.stopDataNode(0);
  }

  /** All that were stopped come back. */
  void start(List<MiniDFSCluster.DataNodeProperties> dataNodes) throws IOException {
    as(
        SUPERUSER,
        () -> {
          for (MiniDFSCluster.DataNodeProperties dataNode : dataNodes) {
            cluster.restartDataNode(dataNode);
          }
          cluster.waitActive();
          return null;
        });
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown();
    FileSystem.closeAll();
  }
}
