package org.grampus.server.region;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotReferenceUtil;
import org.grampus.compat.error.ErrorAdapter;

/**
 * Looks whether regions are in a snapshot that is being taken, with all their files (HBase's
 * RSSnapshotVerifier). The master leaves that to region servers from {@code
 * hbase.snapshot.remote.verify.threshold} regions on. Any thread.
 */
public final class SnapshotVerifier {
  /** A manifest has all regions, and the master asks about each of them. */
  private static final int MANIFESTS_KEPT = 2;

  private static final long KEPT_SECONDS = 60;

  private final Configuration conf;
  private final RegionFiles files;
  private final Cache<SnapshotDescription, Map<String, SnapshotRegionManifest>> manifests =
      CacheBuilder.newBuilder()
          .expireAfterAccess(KEPT_SECONDS, TimeUnit.SECONDS)
          .maximumSize(MANIFESTS_KEPT)
          .build();

  /** Snapshots below the root directory of these files. */
  public SnapshotVerifier(RegionFiles files) {
    this.conf = files.settings();
    this.files = files;
  }

  /**
   * Returns when a region is there as a whole.
   *
   * @throws CorruptedSnapshotException when the region or a file of it is missing or another one,
   *     which fails the snapshot. HBase's verifier passes over a missing region, of which the
   *     master's own check of a smaller table makes the same failure
   * @throws IOException when that cannot be told; the master asks another server
   */
  public void verify(SnapshotDescription snapshot, RegionInfo region) throws IOException {
    SnapshotRegionManifest manifest = manifests(snapshot).get(region.getEncodedName());
    if (manifest == null) {
      throw corrupted(snapshot, region.getRegionNameAsString() + " is not in it");
    }
    RegionInfo found = ProtobufUtil.toRegionInfo(manifest.getRegionInfo());
    if (RegionInfo.COMPARATOR.compare(region, found) != 0) {
      throw corrupted(snapshot, "it has " + found + " in the place of " + region);
    }
    SnapshotReferenceUtil.visitRegionStoreFiles(
        manifest,
        (info, family, file) ->
            SnapshotReferenceUtil.verifyStoreFile(
                conf, files.fileSystem(), workingDir(snapshot), snapshot, info, family, file));
  }

  private Map<String, SnapshotRegionManifest> manifests(SnapshotDescription snapshot)
      throws IOException {
    RegionSnapshots.requireName(snapshot);
    try {
      return manifests.get(snapshot, () -> read(snapshot));
    } catch (ExecutionException e) {
      throw ErrorAdapter.adapt(e.getCause());
    }
  }

  private Map<String, SnapshotRegionManifest> read(SnapshotDescription snapshot)
      throws IOException {
    Path dir = workingDir(snapshot);
    SnapshotManifest read = SnapshotManifest.open(conf, dir.getFileSystem(conf), dir, snapshot);
    return Optional.ofNullable(read.getRegionManifestsMap()).orElse(Map.of());
  }

  private Path workingDir(SnapshotDescription snapshot) throws IOException {
    return SnapshotDescriptionUtils.getWorkingSnapshotDir(snapshot, files.root(), conf);
  }

  private static CorruptedSnapshotException corrupted(SnapshotDescription snapshot, String why) {
    return new CorruptedSnapshotException("snapshot " + snapshot.getName() + ": " + why);
  }
}
