package org.grampus.server.assignment;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.FlushRegionParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotRegionParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotVerifyParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitWALParameter;
import org.apache.hadoop.hbase.util.KeyLocker;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.SplitRequest;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionSnapshots;
import org.grampus.server.region.SnapshotVerifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The remote procedures of a 2.6 master by the simple name of their class. */
public final class RegionProcedures {
  private static final Logger LOG = LoggerFactory.getLogger(RegionProcedures.class);

  private static final String SPLIT_WAL = "SplitWALCallable";

  private final NativeEngine engine;
  private final RegionFiles files;
  private final RegionLifecycle lifecycle;
  private final RegionSnapshots snapshots;
  private final SnapshotVerifier verifier;
  private final KeyLocker<Path> walLocks = new KeyLocker<>();

  /** The parts that procedures need. */
  public RegionProcedures(
      NativeEngine engine,
      RegionFiles files,
      RegionLifecycle lifecycle,
      RegionSnapshots snapshots,
      SnapshotVerifier verifier) {
    this.engine = engine;
    this.files = files;
    this.lifecycle = lifecycle;
    this.snapshots = snapshots;
    this.verifier = verifier;
  }

  /** Runs a procedure; returns its failure, or null on success. */
  IOException run(String procedureClass, ByteString data) {
    String name = simpleName(procedureClass);
    try {
      dispatch(name, data);
      return null;
    } catch (IOException | RuntimeException e) {
      LOG.warn("procedure {} failed: {}", name, e.toString());
      return ErrorAdapter.adapt(e); // the master makes it again from its class
    }
  }

  /** Whether a procedure splits the log of a dead server. */
  static boolean isSplit(String procedureClass) {
    return simpleName(procedureClass).equals(SPLIT_WAL);
  }

  private static String simpleName(String procedureClass) {
    return procedureClass.substring(procedureClass.lastIndexOf('.') + 1);
  }

  private void dispatch(String name, ByteString data) throws IOException {
    switch (name) {
      case SPLIT_WAL -> splitWal(SplitWALParameter.parseFrom(data).getWalPath());
      case "FlushRegionCallable" ->
          online(FlushRegionParameter.parseFrom(data).getRegion()).engine().flush();
      case "SnapshotRegionCallable" -> {
        SnapshotRegionParameter parameter = SnapshotRegionParameter.parseFrom(data);
        snapshots.add(parameter.getSnapshot(), online(parameter.getRegion()));
      }
      case "SnapshotVerifyCallable" -> {
        SnapshotVerifyParameter parameter = SnapshotVerifyParameter.parseFrom(data);
        verifier.verify(parameter.getSnapshot(), ProtobufUtil.toRegionInfo(parameter.getRegion()));
      }
        // Nothing on this server depends on these: no quotas are enforced, and nothing replicates.
      case "SwitchRpcThrottleRemoteCallable",
              "RefreshPeerCallable",
              "ClaimReplicationQueueCallable" ->
          LOG.debug("nothing to do for {}", name);
      default -> throw new IOException("this server does not know the remote procedure " + name);
    }
  }

  /**
   * An order that was meant for an earlier life of this address may arrive beside the one for this
   * life: two splits of one log at the same time would write the same files.
   */
  private void splitWal(String walPath) throws IOException {
    Path wal = files.resolve(walPath);
    Lock lock = walLocks.acquireLock(wal);
    try {
      splitLocked(wal);
    } finally {
      lock.unlock();
    }
  }

  private void splitLocked(Path wal) throws IOException {
    if (!files.walFileSystem().exists(wal)) {
      requireArchived(wal);
      return;
    }
    SplitRequest request =
        new SplitRequest(RegionFiles.place(wal), RegionFiles.place(files.root()), files.walPlace());
    LOG.info("split WAL {}: {}", wal.getName(), engine.splitWal(request));
  }

  /**
   * The master repeats an order whose answer it did not see, and by then it may have moved the file
   * to oldWALs. A file that is in neither place is lost data: never a success.
   */
  private void requireArchived(Path wal) throws IOException {
    Path archived =
        new Path(new Path(files.walRoot(), HConstants.HREGION_OLDLOGDIR_NAME), wal.getName());
    if (!files.walFileSystem().exists(archived)) {
      throw new IOException("WAL " + wal + " is neither there nor in " + archived.getParent());
    }
    LOG.info("WAL {} was split before", wal.getName());
  }

  /**
   * The region of an order. One that is not here is refused at once: it is in transition then, and
   * the master, which sees that, asks again where it opens.
   */
  private OnlineRegion online(HBaseProtos.RegionInfo info) throws IOException {
    RegionInfo region = ProtobufUtil.toRegionInfo(info);
    OnlineRegion online;
    try {
      online = lifecycle.online(region.getEncodedName());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + region.getEncodedName() + " opens");
    }
    if (online == null) {
      throw new NotServingRegionException(region.getRegionNameAsString() + " is not online here");
    }
    return online;
  }
}
