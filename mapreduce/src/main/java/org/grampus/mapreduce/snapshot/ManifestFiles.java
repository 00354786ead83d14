package org.grampus.mapreduce.snapshot;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.grampus.engine.SnapshotFiles;

/** A region's files as a manifest has them, for the engine. */
final class ManifestFiles {
  private ManifestFiles() {}

  /** The files of all families; of references the content of the reference file too. */
  static SnapshotFiles of(SnapshotRegionManifest manifest) {
    List<SnapshotFiles.Family> families = new ArrayList<>();
    for (FamilyFiles family : manifest.getFamilyFilesList()) {
      List<SnapshotFiles.File> files =
          family.getStoreFilesList().stream().map(ManifestFiles::file).toList();
      families.add(new SnapshotFiles.Family(family.getFamilyName().toByteArray(), files));
    }
    return new SnapshotFiles(families);
  }

  private static SnapshotFiles.File file(StoreFile file) {
    byte[] reference =
        file.hasReference() ? ProtobufUtil.prependPBMagic(file.getReference().toByteArray()) : null;
    return new SnapshotFiles.File(file.getName(), file.getFileSize(), reference);
  }

  /** About how many bytes there are to read: of a file that is referred to, half. */
  static long bytes(SnapshotRegionManifest manifest) {
    long bytes = 0;
    for (FamilyFiles family : manifest.getFamilyFilesList()) {
      for (StoreFile file : family.getStoreFilesList()) {
        bytes += file.hasReference() ? file.getFileSize() / 2 : file.getFileSize();
      }
    }
    return bytes;
  }
}
