package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotVerifierTest {
  @TempDir Path root;
  private final Configuration conf = new Configuration(false);
  private NativeEngine engine;
  private LocalRegion region;
  private LocalSnapshot master;
  private SnapshotDescription snapshot;
  private SnapshotVerifier verifier;

  @BeforeEach
  void take() throws IOException {
    conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    engine = NativeEngine.open(EngineConfig.DEFAULTS.with(EngineConfig.Compactions.OFF));
    region = LocalRegion.create(engine, root);
    region.put("a", "v");
    master = new LocalSnapshot(root, conf);
    snapshot = master.begin(SnapshotDescription.Type.FLUSH, 2);
    RegionFiles files = new RegionFiles(conf);
    new RegionSnapshots(conf, files).add(snapshot, region.online());
    master.consolidate(snapshot, region.online().table());
    verifier = new SnapshotVerifier(files);
  }

  @AfterEach
  void close() {
    region.online().engine().close(false);
    engine.close();
  }

  private RegionInfo info() {
    return region.online().info();
  }

  private Path onlyFile() throws IOException {
    Path family = root.resolve("data/default/t").resolve(region.encodedName()).resolve("f");
    try (Stream<Path> found = Files.list(family)) {
      return found.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
  }

  private void assertCorrupted(RegionInfo asked) {
    assertThrows(CorruptedSnapshotException.class, () -> verifier.verify(snapshot, asked));
  }

  @Test
  void aRegionIsThereWithItsFilesAlsoFromTheArchive() throws IOException {
    assertDoesNotThrow(() -> verifier.verify(snapshot, info()));
    Path archive =
        root.resolve("archive/data/default/t").resolve(region.encodedName()).resolve("f");
    Files.createDirectories(archive);
    Path file = onlyFile();
    Files.move(file, archive.resolve(file.getFileName()));
    assertDoesNotThrow(() -> verifier.verify(snapshot, info()));
    Files.move(archive.resolve(file.getFileName()), file);
  }

  @Test
  void aRegionThatIsMissingCorruptsTheSnapshot() {
    assertCorrupted(
        RegionInfoBuilder.newBuilder(info().getTable()).setStartKey(new byte[] {1}).build());
  }

  @Test
  void aFileThatIsMissingOrHasAnotherLengthCorruptsTheSnapshot() throws IOException {
    Path file = onlyFile();
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, new byte[bytes.length + 1]);
    assertCorrupted(info());
    Files.delete(file);
    assertCorrupted(info());
    Files.write(file, bytes);
  }

  @Test
  void aSnapshotWithoutRegionsIsCorrupted() throws IOException {
    snapshot = master.begin(SnapshotDescription.Type.FLUSH, 2);
    Files.delete(master.workingDir().resolve(SnapshotManifest.DATA_MANIFEST_NAME));
    assertCorrupted(info());
  }

  /** The master asks another server then. */
  @Test
  void aManifestThatCannotBeReadSaysNothingAboutTheSnapshot() throws IOException {
    conf.set(SnapshotDescriptionUtils.SNAPSHOT_WORKING_DIR, "nothing-of-this-name:/snapshots");
    verifier = new SnapshotVerifier(new RegionFiles(conf));
    assertThrows(UnsupportedFileSystemException.class, () -> verifier.verify(snapshot, info()));
  }
}
