package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionSnapshotsTest {
  @TempDir Path root;
  private final Configuration conf = new Configuration(false);
  private NativeEngine engine;
  private LocalRegion region;
  private LocalSnapshot master;
  private RegionSnapshots snapshots;

  @BeforeEach
  void open() throws IOException {
    conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    engine = NativeEngine.open(EngineConfig.DEFAULTS.with(EngineConfig.Compactions.OFF));
    region = LocalRegion.create(engine, root);
    master = new LocalSnapshot(root, conf);
    snapshots = new RegionSnapshots(conf, new RegionFiles(conf));
  }

  @AfterEach
  void close() {
    region.online().engine().close(false);
    engine.close();
  }

  /** Names and bytes of the files of the region in the snapshot. */
  private Map<String, Long> manifest(SnapshotDescription snapshot) throws IOException {
    Map<String, Long> files = new TreeMap<>();
    List<SnapshotRegionManifest> regions = master.manifest(snapshot).getRegionManifests();
    assertEquals(1, regions.size());
    assertEquals(1, regions.get(0).getFamilyFilesCount());
    regions
        .get(0)
        .getFamilyFiles(0)
        .getStoreFilesList()
        .forEach(file -> files.put(file.getName(), file.getFileSize()));
    return files;
  }

  private Map<String, Long> onDisk() throws IOException {
    Map<String, Long> files = new TreeMap<>();
    try (Stream<Path> found = Files.list(familyDir())) {
      for (Path path : found.toList()) {
        files.put(path.getFileName().toString(), Files.size(path));
      }
    }
    return files;
  }

  private Path familyDir() {
    return root.resolve("data/default/t").resolve(region.encodedName()).resolve("f");
  }

  private void putAndFlush(String row) {
    region.put(row, "v");
    region.online().engine().flush();
  }

  @Test
  void theFilesAreTheEnginesWhateverTheDirectoryHolds() throws IOException {
    putAndFlush("a");
    putAndFlush("b");
    Map<String, Long> both = onDisk();
    assertEquals(2, both.size());
    // As a compaction does it while the directory is read: its inputs leave one after the other.
    String first = both.keySet().iterator().next();
    Path archive =
        root.resolve("archive/data/default/t").resolve(region.encodedName()).resolve("f");
    Files.createDirectories(archive);
    Files.move(familyDir().resolve(first), archive.resolve(first));
    SnapshotDescription snapshot = master.begin(SnapshotDescription.Type.SKIPFLUSH, 2);
    snapshots.add(snapshot, region.online());
    assertEquals(both, manifest(snapshot));
  }

  @Test
  void whatIsInMemoryIsFlushedUnlessTheSnapshotIsToDoWithout() throws IOException {
    region.put("a", "v");
    SnapshotDescription without = master.begin(SnapshotDescription.Type.SKIPFLUSH, 2);
    snapshots.add(without, region.online());
    assertEquals(Map.of(), manifest(without));
    SnapshotDescription with = master.begin(SnapshotDescription.Type.FLUSH, 2);
    snapshots.add(with, region.online());
    assertEquals(1, onDisk().size());
    assertEquals(onDisk(), manifest(with), "over what the first attempt has left");
  }

  @Test
  void aSnapshotOfTheFirstFormatIsWrittenInIt() throws IOException {
    putAndFlush("a");
    SnapshotDescription snapshot = master.begin(SnapshotDescription.Type.FLUSH, 0);
    Path stale =
        master.workingDir().resolve(region.encodedName()).resolve("f").resolve("0123456789abcdef");
    Files.createDirectories(stale.getParent());
    Files.createFile(stale);
    snapshots.add(snapshot, region.online());
    Path family = master.workingDir().resolve(region.encodedName()).resolve("f");
    try (Stream<Path> found = Files.list(family)) {
      List<String> names =
          found.map(p -> p.getFileName().toString()).filter(n -> !n.startsWith(".")).toList();
      assertEquals(List.copyOf(onDisk().keySet()), names);
    }
  }

  @Test
  void anOrderOfASnapshotThatWasGivenUpChangesNothing() throws IOException {
    putAndFlush("a");
    SnapshotDescription late = master.begin(SnapshotDescription.Type.FLUSH, 2);
    SnapshotDescription next = master.begin(SnapshotDescription.Type.FLUSH, 2);
    snapshots.add(late, region.online());
    Path manifest = master.workingDir().resolve("region-manifest." + region.encodedName());
    assertFalse(Files.exists(manifest), "the snapshot of the same name gets no older files");
    snapshots.add(next, region.online());
    assertEquals(onDisk(), manifest(next));
    SnapshotDescription gone = next;
    try (Stream<Path> found = Files.walk(master.workingDir())) {
      for (Path path : found.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
    snapshots.add(gone, region.online());
    assertFalse(Files.exists(master.workingDir()), "its directory does not come back");
  }

  @Test
  void aRegionThatClosesIsNotServing() throws IOException {
    SnapshotDescription snapshot = master.begin(SnapshotDescription.Type.FLUSH, 2);
    region.online().engine().close(false);
    assertThrows(NotServingRegionException.class, () -> snapshots.add(snapshot, region.online()));
  }

  /** A read that fails says nothing about the snapshot, and the master repeats what failed. */
  @Test
  void aPartIsNotDoneWhenItCannotBeToldWhetherTheSnapshotIsBeingTaken() throws IOException {
    SnapshotDescription snapshot = master.begin(SnapshotDescription.Type.FLUSH, 2);
    Path info = master.workingDir().resolve(SnapshotDescriptionUtils.SNAPSHOTINFO_FILE);
    Files.writeString(info, "torn");
    assertThrows(IOException.class, () -> snapshots.add(snapshot, region.online()));
    // Java says of this one that it is missing, as of one for which no descriptor is left.
    Files.delete(info);
    Files.createDirectory(info);
    assertThrows(IOException.class, () -> snapshots.add(snapshot, region.online()));
  }
}
