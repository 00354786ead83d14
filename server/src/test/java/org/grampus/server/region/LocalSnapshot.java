package org.grampus.server.region;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.errorhandling.ForeignExceptionDispatcher;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;

/** The master's part in snapshots {@code s} of the table {@code t} below a root directory. */
public final class LocalSnapshot {
  private final Path root;
  private final Configuration conf;

  /** Snapshots below the root directory that the settings name. */
  public LocalSnapshot(Path root, Configuration conf) {
    this.root = root;
    this.conf = conf;
  }

  /** Where one is while it is being taken. */
  public Path workingDir() {
    return root.resolve(".hbase-snapshot/.tmp/s");
  }

  private org.apache.hadoop.fs.Path hadoopDir() {
    return new org.apache.hadoop.fs.Path(workingDir().toUri());
  }

  /** What the master does before it asks the regions. */
  public SnapshotDescription begin(SnapshotDescription.Type type, int version) throws IOException {
    SnapshotDescription snapshot =
        SnapshotDescription.newBuilder()
            .setName("s")
            .setTable("t")
            .setType(type)
            .setVersion(version)
            .setCreationTime(System.nanoTime())
            .build();
    Files.createDirectories(workingDir());
    FileSystem fs = hadoopDir().getFileSystem(conf);
    SnapshotDescriptionUtils.writeSnapshotInfo(snapshot, hadoopDir(), fs);
    return snapshot;
  }

  /** The manifest as it is now. */
  public SnapshotManifest manifest(SnapshotDescription snapshot) throws IOException {
    return SnapshotManifest.open(conf, hadoopDir().getFileSystem(conf), hadoopDir(), snapshot);
  }

  /** What the master does once all regions have done their part. */
  public void consolidate(SnapshotDescription snapshot, TableDescriptor table) throws IOException {
    SnapshotManifest manifest =
        SnapshotManifest.create(
            conf,
            hadoopDir().getFileSystem(conf),
            hadoopDir(),
            snapshot,
            new ForeignExceptionDispatcher("s"));
    manifest.addTableDescriptor(table);
    manifest.consolidate();
  }
}
