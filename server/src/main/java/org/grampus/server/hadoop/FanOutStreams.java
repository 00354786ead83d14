package org.grampus.server.hadoop;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper.NameNodeException;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;
import org.grampus.engine.AppendStream;
import org.grampus.engine.FileException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes fan-out streams, and has what they share: event loops, which call nothing but HBase's
 * classes, the threads that create and end them, and what is known of slow and broken data nodes.
 * Any thread.
 */
final class FanOutStreams implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FanOutStreams.class);

  private static final String NAME = "log-streams";
  private static final Duration STOP_MAX = Duration.ofSeconds(10);

  private final Configuration conf;
  private final LeaseRecovery leases;
  private final LogReplicas replicas;
  private final FanOutAppend.Waits waits;
  private final WaitingThreads threads = new WaitingThreads(NAME + "-wait");
  private volatile StreamSlowMonitor monitor;

  /** One for each data node of a block, as a rule: a large packet is sent to all at once. */
  private final EventLoopGroup loops;

  FanOutStreams(Configuration conf, LeaseRecovery leases, LogReplicas replicas) {
    this.conf = conf;
    this.leases = leases;
    this.replicas = replicas;
    this.waits = FanOutAppend.Waits.from(conf);
    this.monitor = StreamSlowMonitor.create(conf, NAME);
    this.loops = new NioEventLoopGroup(3, new DefaultThreadFactory(NAME, /* daemon= */ true));
  }

  /**
   * A new file, which is replicated also in an erasure coded directory. Data nodes that do not take
   * it are passed over, now and in the files to come.
   *
   * @param most bytes for which its only block has room
   */
  AppendStream create(DistributedFileSystem dfs, Path file, long most) throws IOException {
    short replication = dfs.getDefaultReplication(file);
    AsyncFSOutput out;
    try {
      out =
          threads.call(
              "the creation of " + file,
              waits.creation(),
              () -> open(dfs, file, replication, blockBytes(conf, most)),
              (late, failure) -> undo(dfs, file, late, failure));
    } catch (IOException e) {
      if (!isOwnEnd(e)) {
        askAllAgain(); // a data node that was away may be back, and no other one may be left
      }
      undo(dfs, file, null, e);
      throw e;
    }
    FanOutAppend log = stream(dfs, file, out);
    if (log.replicas() < replication) {
      LOG.warn("{} is on {} data nodes and not on {}", file, log.replicas(), replication);
      askAllAgain();
    }
    replicas.add(log, replication);
    return log;
  }

  /** The wait was given up. Data nodes that hang are known by then, and would hang once more. */
  private static boolean isOwnEnd(IOException e) {
    return e instanceof InterruptedIOException || e.getCause() instanceof TimeoutException;
  }

  private FanOutAppend stream(DistributedFileSystem dfs, Path file, AsyncFSOutput out) {
    return new FanOutAppend(file, out, () -> leases.recover(dfs, file), threads, waits);
  }

  /**
   * May wait for ever: HBase's helper does for a connection that ends while it is encrypted, or for
   * what its listeners throw. Its thread is lost then, as no interrupt ends it.
   */
  private AsyncFSOutput open(DistributedFileSystem dfs, Path file, short replication, long block)
      throws IOException {
    // With the data nodes' defaults: both come from the name node and are kept for a while. An
    // event
    // loop asks it only for what runs out, or for a key that is not known any more, meanwhile.
    dfs.getClient().newDataEncryptionKey();
    AsyncFSOutput out = created(dfs, file, replication, block);
    try {
      requireLease(dfs, file);
      return out;
    } catch (Throwable t) { // an Error too: no other code knows of the stream
      stream(dfs, file, out).abandon();
      throw t;
    }
  }

  private AsyncFSOutput created(DistributedFileSystem dfs, Path file, short replication, long block)
      throws IOException {
    try {
      return FanOutOneBlockAsyncDFSOutputHelper.createOutput(
          dfs,
          file,
          /* overwrite= */ false,
          /* createParent= */ false,
          replication,
          block,
          loops,
          NioSocketChannel.class,
          monitor,
          /* noLocalWrite= */ false);
    } catch (NameNodeException e) {
      throw e.getCause() instanceof IOException cause ? cause : e;
    } catch (RemoteException e) {
      throw e.unwrapRemoteException();
    }
  }

  /**
   * Asks the name node whether the file is this client's still, now that data nodes have its block.
   * A recovery that came before found no replica and has ended the file: what would be flushed to
   * the data nodes now would be in no file. One that comes later finds the replicas, and takes them
   * from the stream.
   *
   * <p>The length, which the name node keeps, is not true yet; the pipeline stream sends one behind
   * its first flush. Of a block without bytes, a name node that was started again before its data
   * nodes takes it that it has no replica, and ends the file without it. Where a byte is known it
   * waits for them. A block that stays empty is left out by the recovery all the same.
   */
  private static void requireLease(DistributedFileSystem dfs, Path file) throws IOException {
    DFSClient client = dfs.getClient();
    try {
      client
          .getNamenode()
          .fsync(
              file.toUri().getPath(),
              HdfsConstants.GRANDFATHER_INODE_ID, // by the name: a renamed log is lost, too
              client.getClientName(),
              /* lastBlockLength= */ 1);
    } catch (RemoteException e) {
      throw e.unwrapRemoteException();
    }
  }

  /**
   * Takes a creation back that failed or that is not waited for any more. The file may be there,
   * with a block or without, whatever the failure: the name node's answer may be what was lost.
   *
   * @param out or null
   * @param failure or null
   */
  private void undo(DistributedFileSystem dfs, Path file, AsyncFSOutput out, Throwable failure) {
    if (out != null) {
      stream(dfs, file, out).abandon();
    }
    if (!wasThereBefore(failure)) {
      threads.inBackground("the deletion of " + file, () -> leases.delete(dfs, file));
    }
  }

  /** No name of a log is used twice, so only the name node knows of another writer's file. */
  private static boolean wasThereBefore(Throwable failure) {
    return failure instanceof IOException e
        && FileFailures.of(e) instanceof FileException known
        && known.kind() == FileException.Kind.ALREADY_EXISTS;
  }

  /**
   * HBase passes over a data node for hours. Where too few others are left that costs a replica of
   * each segment, so each may be tried again by the next one.
   */
  private void askAllAgain() {
    if (!monitor.getExcludeDatanodeManager().getExcludeDNs().isEmpty()) {
      monitor = StreamSlowMonitor.create(conf, NAME);
    }
  }

  /** The size of a block that the name node takes. */
  static long blockBytes(Configuration conf, long most) {
    long least = conf.getLongBytes("dfs.namenode.fs-limits.min-block-size", 1 << 20);
    long chunk = conf.getLong("dfs.bytes-per-checksum", 512);
    long bytes = Math.min(Math.max(least, most), Long.MAX_VALUE - chunk);
    return (bytes + chunk - 1) / chunk * chunk;
  }

  /** Waits for files that are being ended, for a while. No file is created any more. */
  @Override
  public void close() {
    threads.close();
    loops
        .shutdownGracefully(0, STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(STOP_MAX.toMillis());
  }
}
