package org.grampus.server.region;

import com.google.common.base.Throwables;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifestV2;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.KeyLocker;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.SnapshotFiles;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions' part in snapshots of enabled tables (HBase's SnapshotRegionCallable and
 * FlushSnapshotSubprocedure). Any thread; parts of one region run one after another.
 *
 * <p>What is written comes from the engine's list of files and never from a directory, which a
 * compaction changes while it is read (docs/design/0026).
 */
public final class RegionSnapshots {
  private static final Logger LOG = LoggerFactory.getLogger(RegionSnapshots.class);

  private static final String ATTEMPTS_KEY = "hbase.snapshot.flush.retryTimes";
  private static final int ATTEMPTS = 3;
  private static final long PAUSE_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final Configuration conf;
  private final RegionFiles files;
  private final KeyLocker<String> regionLocks = new KeyLocker<>();

  /** Snapshots below the root directory of these files. */
  public RegionSnapshots(Configuration conf, RegionFiles files) {
    this.conf = conf;
    this.files = files;
  }

  /**
   * Flushes, unless the snapshot is to do without, and writes the region's files into the snapshot,
   * over what an earlier attempt has left.
   *
   * @throws NotServingRegionException when the region closes; the master asks where it opens next
   */
  public void add(SnapshotDescription snapshot, OnlineRegion region) throws IOException {
    requireName(snapshot);
    Lock lock = regionLocks.acquireLock(region.encodedName());
    try {
      RegionManifest manifest = RegionManifest.of(region, list(snapshot, region));
      Path dir = SnapshotDescriptionUtils.getWorkingSnapshotDir(snapshot, files.root(), conf);
      FileSystem fs = dir.getFileSystem(conf);
      if (!isBeingTaken(snapshot, fs, dir)) {
        return;
      }
      if (snapshot.getVersion() == SnapshotManifestV2.DESCRIPTOR_VERSION) {
        manifest.write(fs, dir);
      } else {
        manifest.writeInFirstFormat(conf, fs, dir);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tries more than once: the master repeats a part that has failed without a pause, and a 2.6
   * master may miss the end of a part that it repeats at once (SnapshotRegionProcedure.complete).
   */
  private SnapshotFiles list(SnapshotDescription snapshot, OnlineRegion region) throws IOException {
    boolean flush = snapshot.getType() != SnapshotDescription.Type.SKIPFLUSH;
    int attempts = conf.getInt(ATTEMPTS_KEY, ATTEMPTS);
    for (int attempt = 1; ; attempt++) {
      try {
        return region.engine().snapshotFiles(flush);
      } catch (EngineException e) {
        IOException failure =
            ErrorAdapter.adapt(
                "cannot add " + region.encodedName() + " to " + snapshot.getName(), e);
        if (e.kind() == ErrorKind.NOT_SERVING || attempt >= attempts) {
          throw failure;
        }
        LOG.warn("{}; attempt {} of {}", failure.getMessage(), attempt, attempts);
        pause();
      }
    }
  }

  private static void pause() throws InterruptedIOException {
    try {
      Env.sleep(Duration.ofMillis(PAUSE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while adding to a snapshot");
    }
  }

  /**
   * Whether the master still takes this very snapshot. If not, the order is late and its answer not
   * waited for; a later snapshot of the same name must not get older files (HBASE-16464).
   *
   * @throws IOException when that cannot be told: a part that is not written must not pass for done
   */
  private static boolean isBeingTaken(SnapshotDescription snapshot, FileSystem fs, Path dir)
      throws IOException {
    try {
      if (SnapshotDescriptionUtils.readSnapshotInfo(fs, dir).equals(snapshot)) {
        return true;
      }
      LOG.warn("snapshot {} in {} is a later one of the same name", snapshot.getName(), dir);
    } catch (CorruptedSnapshotException e) {
      if (!isMissing(e) || fs.exists(new Path(dir, SnapshotDescriptionUtils.SNAPSHOTINFO_FILE))) {
        throw e;
      }
      LOG.warn("snapshot {} is no longer being taken", snapshot.getName(), e);
    }
    return false;
  }

  /**
   * HBase wraps whatever a read ends with. Of a local file Java also says that it is missing when
   * it cannot be opened for another reason.
   */
  private static boolean isMissing(Throwable error) {
    return Throwables.getCausalChain(error).stream()
        .anyMatch(FileNotFoundException.class::isInstance);
  }

  /** A name becomes a path: what is no name of HBase's could lead anywhere. */
  static void requireName(SnapshotDescription snapshot) throws DoNotRetryIOException {
    try {
      TableName.isLegalTableQualifierName(Bytes.toBytes(snapshot.getName()), true);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("not a snapshot's name: " + snapshot.getName(), e);
    }
  }
}
