package org.grampus.perf.stream;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.NettyEventLoopGroupConfig;
import org.apache.hadoop.hbase.util.NettyFutureUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.grampus.server.env.HadoopFileSystems;
import org.grampus.server.hadoop.HadoopFiles;

/**
 * Files of logs in one directory of HDFS: the pipeline stream as the server makes it, the fan-out
 * stream as HBase does.
 */
final class LogFiles implements Closeable {
  private static final String NAME = "wal-streams";

  private final Path directory;
  private final HadoopFiles server;
  private final DistributedFileSystem fanOut;
  private final NettyEventLoopGroupConfig loops;
  private final StreamSlowMonitor monitor;
  private int files;

  /**
   * Makes the directory.
   *
   * @param uri of HDFS
   * @param client a configuration, which is copied
   * @param eventLoops threads of Netty below fan-out streams, or 0 for HBase's default
   */
  LogFiles(String uri, Configuration client, int eventLoops) throws IOException {
    Configuration conf = new Configuration(client);
    conf.setInt(NettyEventLoopGroupConfig.NETTY_WORKER_COUNT_KEY, eventLoops);
    conf.set("hbase.wal.provider", "filesystem"); // of the server's own files
    directory = new Path(uri, "/" + NAME);
    server = new HadoopFiles(conf);
    server.makeDirectories(directory.toString());
    fanOut = (DistributedFileSystem) HadoopFileSystems.open(directory, conf);
    loops = new NettyEventLoopGroupConfig(conf, NAME);
    monitor = StreamSlowMonitor.create(conf, NAME);
  }

  /** A name that no file has had. */
  Path next() {
    return new Path(directory, "log." + ++files);
  }

  /** What a file may hold: a fan-out stream has one block. */
  long blockBytes() {
    return fanOut.getDefaultBlockSize(directory);
  }

  /** A new file. */
  LogStream create(Path file, Variant variant) throws IOException {
    return switch (variant.stream()) {
      case PIPELINE ->
          new PipelineStream(server.createLog(file.toString(), blockBytes()), variant.sync());
      case FAN_OUT -> new FanOutStream(fanOut(file), variant.sync());
    };
  }

  private AsyncFSOutput fanOut(Path file) throws IOException {
    return FanOutOneBlockAsyncDFSOutputHelper.createOutput(
        fanOut,
        file,
        /* overwrite= */ false,
        /* createParent= */ false,
        fanOut.getDefaultReplication(file),
        blockBytes(),
        loops.group(),
        loops.clientChannelClass(),
        monitor,
        /* noLocalWrite= */ false);
  }

  /**
   * Data nodes that the block of an open file is written to, as the name node knows them: a stream
   * that repairs its pipeline tells it the new one before it goes on.
   */
  int replicas(Path file) throws IOException {
    return fanOut
        .getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
        .getLastLocatedBlock()
        .getLocations()
        .length;
  }

  void delete(Path file) throws IOException {
    server.delete(file.toString());
  }

  @Override
  public void close() throws IOException {
    NettyFutureUtils.consume(loops.group().shutdownGracefully()); // no file is open any more
    fanOut.close();
    server.close();
  }
}
