package org.grampus.server.region;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.snapshot.SnapshotManifestV2;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.engine.SnapshotFiles;

/**
 * A region's files in a snapshot, and how HBase writes them down (SnapshotManifestV2 and V1, whose
 * writers want an HRegion). Immutable.
 */
final class RegionManifest {
  private final RegionInfo region;
  private final SnapshotRegionManifest manifest;

  private RegionManifest(RegionInfo region, SnapshotRegionManifest manifest) {
    this.region = region;
    this.manifest = manifest;
  }

  /** The manifest of a region's files as the engine lists them. */
  static RegionManifest of(OnlineRegion region, SnapshotFiles files) throws IOException {
    SnapshotRegionManifest.Builder manifest =
        SnapshotRegionManifest.newBuilder().setRegionInfo(ProtobufUtil.toRegionInfo(region.info()));
    for (SnapshotFiles.Family family : files.families()) {
      manifest.addFamilyFiles(family(family));
    }
    return new RegionManifest(region.info(), manifest.build());
  }

  private static FamilyFiles family(SnapshotFiles.Family listed) throws IOException {
    FamilyFiles.Builder family =
        FamilyFiles.newBuilder().setFamilyName(UnsafeByteOperations.unsafeWrap(listed.family()));
    for (SnapshotFiles.File file : listed.files()) {
      family.addStoreFiles(file(file));
    }
    return family.build();
  }

  private static StoreFile file(SnapshotFiles.File listed) throws IOException {
    StoreFile.Builder file =
        StoreFile.newBuilder().setName(listed.name()).setFileSize(listed.bytes());
    if (listed.reference() != null) {
      file.setReference(reference(listed.reference()));
    }
    return file.build();
  }

  private static FSProtos.Reference reference(byte[] content) throws IOException {
    try {
      ProtobufUtil.expectPBMagicPrefix(content);
    } catch (DeserializationException e) {
      throw new IOException("the engine lists a reference that is none", e);
    }
    int start = ProtobufUtil.lengthOfPBMagic();
    return FSProtos.Reference.parseFrom(Arrays.copyOfRange(content, start, content.length));
  }

  /** Writes one file into a snapshot that is being taken; its directory must be there. */
  void write(FileSystem fs, Path snapshotDir) throws IOException {
    Path path =
        new Path(
            snapshotDir, SnapshotManifestV2.SNAPSHOT_MANIFEST_PREFIX + region.getEncodedName());
    try (FSDataOutputStream out = create(fs, path)) {
      manifest.writeTo(out);
    }
  }

  /** Never makes the directory: the master may have removed it with the snapshot. */
  private static FSDataOutputStream create(FileSystem fs, Path path) throws IOException {
    return fs.createNonRecursive(
        path,
        CommonFSUtils.getFilePermissions(fs, fs.getConf(), HConstants.DATA_FILE_UMASK_KEY),
        EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
        fs.getConf().getInt("io.file.buffer.size", 4096),
        fs.getDefaultReplication(path),
        fs.getDefaultBlockSize(path),
        null);
  }

  /** Writes a directory with a file for each store file, for a client that asks for version 0. */
  void writeInFirstFormat(Configuration conf, FileSystem fs, Path snapshotDir) throws IOException {
    Path regionDir = new Path(snapshotDir, region.getEncodedName());
    fs.delete(regionDir, true);
    HRegionFileSystem.createRegionOnFileSystem(conf, fs, snapshotDir, region);
    for (FamilyFiles family : manifest.getFamilyFilesList()) {
      Path familyDir = new Path(regionDir, family.getFamilyName().toStringUtf8());
      for (StoreFile file : family.getStoreFilesList()) {
        Path path = new Path(familyDir, file.getName());
        if (file.hasReference()) {
          Reference.convert(file.getReference()).write(fs, path);
        } else if (!fs.createNewFile(path)) {
          throw new IOException("cannot make " + path);
        }
      }
    }
  }
}
