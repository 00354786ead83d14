package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.mapreduce.input.Seeds;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.snapshot.Snapshot;
import org.grampus.mapreduce.snapshot.SnapshotRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Snapshots of tables that chance has made are read from their files as a server has read them,
 * while the server goes on to write, flush, compact and split, and when their tables are gone. A
 * failure names its seed, {@code -Dgrampus.seed=N} repeats it.
 */
class RandomHistoryTest extends SnapshotCase {
  private static final int FEW = 2;
  private static final int MANY = 8;
  private static final int SCANS = 6;
  private static final int STEPS = 12;

  /** How often the server splits a table while its snapshot is read. */
  private static final int SPLITS = 3;

  private static final int COMPACTION_SECONDS_MAX = 90;
  private static final int POLL_MILLIS = 50;

  /** What a file of a snapshot is. */
  private enum Kind {
    FILE,
    REFERENCE,
    LINK,
    REFERENCE_TO_LINK
  }

  /** A snapshot, and what the server has read as it was taken. */
  private record Frozen(String snapshot, List<Scan> scans, List<List<String>> answers) {}

  private ExecutorService others;
  private TableName clone;

  @BeforeEach
  void begin() {
    others = Executors.newCachedThreadPool();
    clone = TableName.valueOf(name + "Clone");
  }

  @AfterEach
  void end() throws IOException {
    others.shutdownNow();
    drop(clone);
  }

  @Test
  void filesAreReadAsServersDo() throws Exception {
    Seeds.check(FEW, this::check);
  }

  @Tag("long")
  @Test
  void filesOfManyHistoriesAreReadAsServersDo() throws Exception {
    Seeds.check(MANY, this::check);
  }

  private void check(Random random) throws Exception {
    RandomHistory history = new RandomHistory(random);
    admin.createTable(history.table(name), history.borders());
    try {
      happen(history, name, random);
      compactions(name, false); // which would take references and links away
      change(history, name, random.nextInt(STEPS));
      splitAt(name, history.border(0));
      change(history, name, STEPS);
      Frozen frozen = freeze(name, scans(history));
      admin.cloneSnapshot(frozen.snapshot(), clone);
      assertEquals(frozen.answers(), answers(clone, frozen.scans()), "of the clone");
      change(history, clone, STEPS);
      Frozen ofClone = freeze(clone, scans(history));
      Set<Kind> ofTable = kinds(frozen);
      ofTable.remove(Kind.LINK); // by chance: to a file that lies in one daughter (HBASE-26421)
      assertEquals(EnumSet.of(Kind.FILE, Kind.REFERENCE), ofTable);
      assertEquals(EnumSet.of(Kind.FILE, Kind.LINK, Kind.REFERENCE_TO_LINK), kinds(ofClone));
      readWhileTablesChange(history, List.of(frozen, ofClone));
    } finally {
      drop(clone);
      drop(name);
      dropSnapshots();
    }
  }

  private void readWhileTablesChange(RandomHistory history, List<Frozen> all) throws Exception {
    RandomHistory forTable = history.fork();
    RandomHistory forClone = history.fork();
    Future<?> ofTable = others.submit(() -> disturb(forTable, name));
    Future<?> ofClone = others.submit(() -> disturb(forClone, clone));
    try {
      do {
        assertRead(all);
      } while (!ofTable.isDone() || !ofClone.isDone());
    } finally {
      ofTable.get();
      ofClone.get();
    }
    assertNotEquals(all.get(0).answers(), answers(name, all.get(0).scans()), "of the table now");
    drop(clone);
    drop(name);
    assertRead(all);
  }

  private static List<Scan> scans(RandomHistory history) throws IOException {
    List<Scan> scans = new ArrayList<>(List.of(all()));
    while (scans.size() < SCANS) {
      scans.add(history.scan());
    }
    return scans;
  }

  /** Writes, flushes and compacts by chance. */
  private void happen(RandomHistory history, TableName of, Random random) throws Exception {
    for (int i = 0; i < STEPS; i++) {
      change(history, of, 1 + random.nextInt(4));
      switch (random.nextInt(4)) {
        case 0 -> admin.compact(of);
        case 1 -> admin.majorCompact(of);
        default -> admin.flush(of);
      }
    }
  }

  private void change(RandomHistory history, TableName of, int times) throws Exception {
    try (Table table = connection.getTable(of)) {
      for (int i = 0; i <= times; i++) {
        history.change(table);
      }
    }
  }

  /** Takes a snapshot of a table that nothing changes meanwhile. */
  private Frozen freeze(TableName of, List<Scan> scans) throws IOException {
    admin.flush(of); // which decides what there is to read of versions that are too many
    List<List<String>> before = answers(of, scans);
    String snapshot = snapshot(of);
    assertEquals(before, answers(of, scans), "behind the snapshot");
    return new Frozen(snapshot, scans, before);
  }

  private List<List<String>> answers(TableName of, List<Scan> scans) throws IOException {
    List<List<String>> answers = new ArrayList<>();
    for (Scan scan : scans) {
      answers.add(scanned(of, scan));
    }
    return answers;
  }

  private void assertRead(List<Frozen> all) throws Exception {
    int splits = 1;
    for (Frozen frozen : all) {
      for (int i = 0; i < frozen.scans().size(); i++) {
        Scan scan = frozen.scans().get(i);
        Job job = job(frozen.snapshot(), scan);
        job.getConfiguration().setInt(JobKeys.SPLITS, splits++);
        assertEquals(frozen.answers().get(i), run(job), () -> frozen.snapshot() + " by " + scan);
      }
    }
  }

  /** What a busy server does to a table; until it is done. */
  private Void disturb(RandomHistory history, TableName of) throws Exception {
    compactions(of, true);
    for (int i = 0; i < SPLITS; i++) {
      change(history, of, STEPS);
      admin.flush(of);
      splitWhenCompacted(of, history.border(1 + i));
      change(history, of, STEPS);
      admin.majorCompact(of);
    }
    return null;
  }

  /**
   * A region that has references is not split: it is compacted first. The master refuses it at
   * once, or finds them once the procedure has begun.
   */
  private void splitWhenCompacted(TableName of, String row) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMPACTION_SECONDS_MAX);
    while (true) {
      try {
        splitAt(of, row);
        return;
      } catch (ExecutionException | DoNotRetryIOException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        admin.majorCompact(of);
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
  }

  private Set<Kind> kinds(Frozen frozen) throws IOException {
    Configuration conf = configuration();
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (SnapshotRegion region : Snapshot.open(conf, frozen.snapshot()).regions()) {
      SnapshotRegionManifest manifest = SnapshotRegionManifest.parseFrom(region.toBytes());
      manifest.getFamilyFilesList().stream()
          .flatMap(family -> family.getStoreFilesList().stream())
          .forEach(file -> kinds.add(kind(file)));
    }
    return kinds;
  }

  /** Links, and references to them, have the table of their file in their names. */
  private static Kind kind(SnapshotRegionManifest.StoreFile file) {
    boolean isOfOtherTable = file.getName().contains("=");
    if (file.hasReference()) {
      return isOfOtherTable ? Kind.REFERENCE_TO_LINK : Kind.REFERENCE;
    }
    return isOfOtherTable ? Kind.LINK : Kind.FILE;
  }
}
