package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.grampus.engine.SnapshotFiles;

/** A region as of a snapshot: its bounds and its files. Immutable. */
public final class SnapshotRegion {
  private final SnapshotRegionManifest manifest;
  private final RegionInfo info;

  SnapshotRegion(SnapshotRegionManifest manifest) {
    this.manifest = manifest;
    this.info = ProtobufUtil.toRegionInfo(manifest.getRegionInfo());
  }

  /** The region that {@link #toBytes} wrote. */
  public static SnapshotRegion parse(byte[] bytes) throws IOException {
    return new SnapshotRegion(SnapshotRegionManifest.parseFrom(bytes));
  }

  /** All that a task needs of it. */
  public byte[] toBytes() {
    return manifest.toByteArray();
  }

  /** Its identity and bounds. */
  public RegionInfo info() {
    return info;
  }

  /** About how many bytes of files there are to read. */
  public long bytes() {
    return ManifestFiles.bytes(manifest);
  }

  /** Whether it has no files, hence no rows. */
  public boolean isEmpty() {
    return fileCount() == 0;
  }

  int fileCount() {
    return manifest.getFamilyFilesList().stream().mapToInt(FamilyFiles::getStoreFilesCount).sum();
  }

  SnapshotRegionManifest manifest() {
    return manifest;
  }

  SnapshotFiles files() {
    return ManifestFiles.of(manifest);
  }
}
