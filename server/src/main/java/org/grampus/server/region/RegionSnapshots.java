package org.grampus.server.region;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.errorhandling.ForeignExceptionDispatcher;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;

/** The regions' part in snapshots of enabled tables. Any thread. */
public final class RegionSnapshots {
  private final Configuration conf;
  private final RegionFiles files;

  /** Snapshots below the root directory of these files. */
  public RegionSnapshots(Configuration conf, RegionFiles files) {
    this.conf = conf;
    this.files = files;
  }

  /**
   * Flushes, unless the snapshot is to do without, and lists the region's files in the snapshot; a
   * file that is compacted away meanwhile is found in the archive.
   */
  public void add(SnapshotDescription snapshot, OnlineRegion region) throws IOException {
    if (snapshot.getType() != SnapshotDescription.Type.SKIPFLUSH) {
      region.nativeRegion().flush();
    }
    Path workingDir = SnapshotDescriptionUtils.getWorkingSnapshotDir(snapshot, files.root(), conf);
    SnapshotManifest manifest =
        SnapshotManifest.create(
            conf,
            files.fileSystem(),
            workingDir,
            snapshot,
            new ForeignExceptionDispatcher(snapshot.getName()));
    manifest.addTableDescriptor(region.table());
    manifest.addRegion(files.tableDir(region.info()), region.info());
  }
}
