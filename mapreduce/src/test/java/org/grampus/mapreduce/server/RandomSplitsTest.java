package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.engine.RowPiece;
import org.grampus.mapreduce.input.KeyRange;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.SnapshotSplit;
import org.grampus.mapreduce.input.TableInputFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.snapshot.FrozenRegions;
import org.grampus.mapreduce.snapshot.Snapshot;
import org.grampus.mapreduce.snapshot.SnapshotRegion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Splits of tables that chance has laid out: together they are exactly the table, and their bytes
 * are equal where pages are small enough. A failure names its seed, {@code -Dgrampus.seed=N}
 * repeats it.
 */
@Tag("long")
class RandomSplitsTest extends JobTest {
  private static final int ROUNDS = 8;

  /** Splits of at least this number of the largest pieces shall be equal to a fifth. */
  private static final int PIECES_PER_SPLIT = 10;

  private int equalRounds;

  @Test
  void splitsAreTheTableWhateverItsLayout() throws Exception {
    Long given = Long.getLong("grampus.seed");
    long first = given == null ? System.nanoTime() : given;
    System.out.println("layouts by the seeds from " + first);
    int rounds = given == null ? ROUNDS : 1;
    for (long seed = first; seed < first + rounds; seed++) {
      try {
        check(new Random(seed), seed);
      } catch (AssertionError | IOException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      drop(name);
    }
    assertTrue(given != null || equalRounds > 0, "no layout had pages that allow equal splits");
  }

  @Test
  void aTableOfOneRowAndAnEmptyOneHaveTheirRows() throws Exception {
    for (int rows = 0; rows < 2; rows++) {
      RandomLayout layout = new RandomLayout(new Random(rows));
      layout.create(admin, name);
      if (rows > 0) {
        layout.writeOne(table);
      }
      String snapshot = snapshot("few" + rows);
      for (int wanted : new int[] {1, 5}) {
        assertEquals(rows, run(ofTable(wanted)).size());
        assertEquals(rows, run(ofSnapshot(snapshot, wanted)).size());
      }
      admin.deleteSnapshot(snapshot);
      drop(name);
    }
  }

  private void check(Random random, long seed) throws Exception {
    RandomLayout layout = new RandomLayout(random);
    layout.create(admin, name);
    layout.write(admin, table, random.nextBoolean());
    RandomGoal goal = RandomGoal.of(random);
    String snapshot = snapshot(String.valueOf(seed));
    try {
      List<String> expected = scanned(name, new Scan());
      assertEquals(layout.written().size(), expected.size());
      String shown = layout + ", " + goal;
      checkTable(layout, goal, snapshot, expected, shown);
      checkSnapshot(layout, goal, snapshot, expected, shown);
    } finally {
      admin.deleteSnapshot(snapshot);
    }
  }

  private String snapshot(String of) throws IOException {
    String snapshot = name.getNameAsString() + "-" + of;
    admin.snapshot(snapshot, name);
    return snapshot;
  }

  private Job wanting(int splits, Class<? extends InputFormat<?, ?>> format) throws IOException {
    Configuration conf = configuration();
    conf.setInt("grampus.mapreduce.splits", splits);
    return job(conf, format, new Scan());
  }

  private Job ofTable(int splits) throws IOException {
    return wanting(splits, TableInputFormat.class);
  }

  private Job ofSnapshot(String snapshot, int splits) throws IOException {
    Job job = wanting(splits, SnapshotInputFormat.class);
    job.getConfiguration().set(HBaseKeys.SNAPSHOT_NAME, snapshot);
    return job;
  }

  private Job wanting(
      RandomLayout layout, RandomGoal goal, Class<? extends InputFormat<?, ?>> format)
      throws IOException {
    Configuration conf = configuration();
    goal.set(conf, layout.bytes());
    return job(conf, format, new Scan());
  }

  private void checkTable(
      RandomLayout layout, RandomGoal goal, String snapshot, List<String> expected, String shown)
      throws Exception {
    Job job = wanting(layout, goal, TableInputFormat.class);
    TableInputFormat format = new TableInputFormat();
    format.setConf(job.getConfiguration());
    List<List<KeyRange>> ranges = new ArrayList<>();
    for (InputSplit split : format.getSplits(job)) {
      TableSplit part = (TableSplit) split;
      assertTrue(split.getLength() > 0, shown);
      ranges.add(List.of(KeyRange.ofSplit(part.getStartRow(), part.getEndRow())));
    }
    checkEachRowOnce(layout, ranges, shown);
    // Of several regions the client knows the bytes in MiB alone.
    if (admin.getRegions(name).size() == 1) {
      checkEqual(layout, goal, snapshot, ranges, shown);
    }
    assertEquals(expected, run(job), shown);
  }

  private void checkSnapshot(
      RandomLayout layout, RandomGoal goal, String snapshot, List<String> expected, String shown)
      throws Exception {
    Job job = wanting(layout, goal, SnapshotInputFormat.class);
    job.getConfiguration().set(HBaseKeys.SNAPSHOT_NAME, snapshot);
    List<List<KeyRange>> ranges = new ArrayList<>();
    for (InputSplit split : new SnapshotInputFormat().getSplits(job)) {
      assertTrue(split.getLength() > 0, shown);
      ranges.add(
          ((SnapshotSplit) split).parts().stream().map(SnapshotSplit.RegionRows::range).toList());
    }
    checkEachRowOnce(layout, ranges, shown);
    checkEqual(layout, goal, snapshot, ranges, shown);
    assertEquals(expected, run(job), shown);
  }

  /** If pages are small enough for it. */
  private void checkEqual(
      RandomLayout layout,
      RandomGoal goal,
      String snapshot,
      List<List<KeyRange>> splits,
      String shown)
      throws IOException {
    double ideal = (double) layout.bytes() / splits.size();
    long largest = Math.max(layout.largest(), largestPiece(configuration(), snapshot));
    boolean isOne = goal.joinsRegions() || admin.getRegions(name).size() == 1;
    if (isOne && ideal >= PIECES_PER_SPLIT * largest) {
      equalRounds++;
      assertTrue(goal.allows(splits.size()), shown + ": " + splits.size() + " splits");
      for (List<KeyRange> parts : splits) {
        assertEquals(ideal, (double) bytes(layout, parts), ideal / 5, shown);
      }
    }
  }

  private static void checkEachRowOnce(
      RandomLayout layout, List<List<KeyRange>> splits, String shown) {
    for (byte[] row : layout.written().keySet()) {
      long holding =
          splits.stream().flatMap(List::stream).filter(range -> range.contains(row)).count();
      assertEquals(1, holding, shown + ": " + Bytes.toStringBinary(row));
    }
  }

  private static long bytes(RandomLayout layout, List<KeyRange> parts) {
    return layout.written().entrySet().stream()
        .filter(row -> parts.stream().anyMatch(part -> part.contains(row.getKey())))
        .mapToLong(java.util.Map.Entry::getValue)
        .sum();
  }

  /** Where files can be cut, as their indexes know it; no row is cut. */
  private static long largestPiece(Configuration conf, String name) throws IOException {
    Snapshot snapshot = Snapshot.open(conf, name);
    FrozenRegions regions = new FrozenRegions(conf, snapshot.table());
    long largest = 0;
    for (SnapshotRegion of : snapshot.regions()) {
      try (NativeFrozenRegion region = regions.open(of)) {
        for (RowPiece piece : region.pieces(1)) {
          largest = Math.max(largest, piece.bytes());
        }
      }
    }
    return largest;
  }
}
