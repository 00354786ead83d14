package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.util.Time;

/**
 * A completed snapshot, read from the file system; nothing is written there, and no server is
 * asked. Immutable.
 */
public final class Snapshot {
  private final TableDescriptor table;
  private final Instant created;
  private final List<SnapshotRegion> regions;

  private Snapshot(TableDescriptor table, Instant created, List<SnapshotRegion> regions) {
    this.table = table;
    this.created = created;
    this.regions = regions;
  }

  /**
   * Opens a snapshot below the root directory that the configuration names.
   *
   * @throws SnapshotDoesNotExistException when there is none of this name, or it is still taken
   * @throws SnapshotTTLExpiredException when its time to live is over: its files may go at any time
   */
  public static Snapshot open(Configuration conf, String name) throws IOException {
    Path root = CommonFSUtils.getRootDir(conf);
    FileSystem fs = root.getFileSystem(conf);
    Path dir = SnapshotDescriptionUtils.getCompletedSnapshotDir(name, root);
    if (!fs.exists(dir)) {
      throw new SnapshotDoesNotExistException(
          "there is no completed snapshot "
              + name
              + " below "
              + root
              + "; see list_snapshots, and whether "
              + HConstants.HBASE_DIR
              + " is that of the server");
    }
    SnapshotDescription description = SnapshotDescriptionUtils.readSnapshotInfo(fs, dir);
    requireAlive(description);
    SnapshotManifest manifest = SnapshotManifest.open(conf, fs, dir, description);
    Instant created = Instant.ofEpochMilli(description.getCreationTime());
    return new Snapshot(manifest.getTableDescriptor(), created, regions(manifest));
  }

  private static void requireAlive(SnapshotDescription snapshot)
      throws SnapshotTTLExpiredException {
    if (SnapshotDescriptionUtils.isExpiredSnapshot(
        snapshot.getTtl(), snapshot.getCreationTime(), Time.now())) {
      throw new SnapshotTTLExpiredException(
          "snapshot "
              + snapshot.getName()
              + " of "
              + Instant.ofEpochMilli(snapshot.getCreationTime())
              + " was to live for "
              + snapshot.getTtl()
              + " s, which are over; take another one");
    }
  }

  private static List<SnapshotRegion> regions(SnapshotManifest manifest) {
    List<SnapshotRegionManifest> all = manifest.getRegionManifests();
    if (all == null) {
      return List.of();
    }
    return all.stream()
        .map(SnapshotRegion::new)
        .filter(Snapshot::holdsRows)
        .sorted(Comparator.comparing(SnapshotRegion::info, RegionInfo.COMPARATOR))
        .toList();
  }

  /** Not a parent whose daughters have its rows, and not where large values are kept. */
  private static boolean holdsRows(SnapshotRegion region) {
    HBaseProtos.RegionInfo info = region.manifest().getRegionInfo();
    boolean parent = info.getOffline() && info.getSplit();
    return !parent && !MobUtils.isMobRegionInfo(region.info());
  }

  /** The table's descriptor as of the snapshot. */
  public TableDescriptor table() {
    return table;
  }

  /** When it was taken, which tells it from an earlier one of its name. */
  public Instant created() {
    return created;
  }

  /** The regions that hold the table's rows, in the order of their keys. */
  public List<SnapshotRegion> regions() {
    return regions;
  }
}
