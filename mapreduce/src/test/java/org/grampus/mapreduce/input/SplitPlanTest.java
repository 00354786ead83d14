package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SplitPlanTest {
  private static byte[] b(String key) {
    return Bytes.toBytes(key);
  }

  private static KeyRange range(String start, String end) {
    return KeyRange.of(b(start), b(end));
  }

  /** Regions with keys and pieces of any kind, some empty, some gone. */
  private static List<RegionPieces> anyRegions(Keys keys, Random random) {
    List<RegionPieces> regions = new ArrayList<>();
    boolean known = random.nextInt(4) > 0;
    for (KeyRange range : UniformKeysTest.regions(keys, random)) {
      if (random.nextInt(10) > 0) {
        long bytes = known ? random.nextInt(1_000_000) : 0;
        boolean empty = random.nextInt(8) == 0;
        regions.add(new RegionPieces(range, bytes, empty, pieces(keys, bytes, random)));
      }
    }
    return regions;
  }

  /** Not always within the region, as files may say. */
  private static List<Piece> pieces(Keys keys, long bytes, Random random) {
    TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = random.nextInt(6); i > 0; i--) {
      rows.add(keys.next(random));
    }
    return rows.stream().map(row -> new Piece(row, bytes / Math.max(1, rows.size()))).toList();
  }

  private static KeyRange anyScan(Keys keys, Random random) {
    byte[] a = random.nextInt(3) == 0 ? new byte[0] : keys.next(random);
    byte[] b = random.nextInt(3) == 0 ? new byte[0] : keys.next(random);
    boolean ordered = b.length == 0 || Bytes.compareTo(a, b) <= 0;
    return ordered ? KeyRange.of(a, b) : KeyRange.of(b, a);
  }

  private static SplitGoal anyGoal(Random random) {
    int amount = 1 + random.nextInt(20);
    return switch (random.nextInt(4)) {
      case 0 -> SplitGoal.perRegion(amount);
      case 1 -> SplitGoal.total(amount);
      case 2 -> SplitGoal.bytes(amount * 20_000L);
      default -> SplitGoal.regionsUpTo(amount * 50_000L);
    };
  }

  @Test
  void everyRowOfTheScanIsInOneSplit() {
    Seeds.check(
        random -> {
          Keys keys = Keys.any(random);
          List<RegionPieces> regions = anyRegions(keys, random);
          KeyRange scan = anyScan(keys, random);
          SplitGoal goal = anyGoal(random);
          List<PlannedSplit> splits = SplitPlan.of(regions, scan, goal);
          for (int i = 0; i < 20; i++) {
            byte[] row = keys.next(random);
            boolean wanted =
                scan.contains(row)
                    && regions.stream().anyMatch(r -> !r.empty() && r.range().contains(row));
            assertEquals(
                wanted ? 1 : 0, found(splits, row), goal + " " + Bytes.toStringBinary(row));
          }
        });
  }

  private static long found(List<PlannedSplit> splits, byte[] row) {
    return splits.stream()
        .flatMap(split -> split.parts().stream())
        .filter(part -> part.range().contains(row))
        .count();
  }

  @Test
  void partsOfARegionMeetAndEndWhereTheRegionDoes() {
    Seeds.check(
        random -> {
          Keys keys = Keys.any(random);
          List<RegionPieces> regions = anyRegions(keys, random);
          KeyRange scan = anyScan(keys, random);
          List<PlannedSplit> splits = SplitPlan.of(regions, scan, anyGoal(random));
          List<PlannedSplit.Part> parts =
              splits.stream().flatMap(split -> split.parts().stream()).toList();
          for (int index = 0; index < regions.size(); index++) {
            checkParts(regions.get(index), partsOf(index, parts), scan);
          }
          splits.forEach(SplitPlanTest::checkSplit);
        });
  }

  private static List<KeyRange> partsOf(int region, List<PlannedSplit.Part> parts) {
    return parts.stream()
        .filter(part -> part.region() == region)
        .map(PlannedSplit.Part::range)
        .toList();
  }

  private static void checkParts(RegionPieces region, List<KeyRange> parts, KeyRange scan) {
    KeyRange wanted = region.range().intersect(scan);
    if (region.empty() || wanted.isEmpty()) {
      assertTrue(parts.isEmpty());
      return;
    }
    assertArrayEquals(wanted.start(), parts.get(0).start());
    assertArrayEquals(wanted.end(), parts.get(parts.size() - 1).end());
    for (int i = 1; i < parts.size(); i++) {
      assertTrue(parts.get(i - 1).meets(parts.get(i)));
    }
  }

  private static void checkSplit(PlannedSplit split) {
    assertTrue(split.length() >= 1);
    assertTrue(split.parts().stream().noneMatch(part -> part.range().isEmpty()));
    assertArrayEquals(split.range().start(), split.pieces().get(0).firstRow());
    assertTrue(split.pieces().size() <= 32);
    for (int i = 1; i < split.parts().size(); i++) {
      assertTrue(Bytes.compareTo(split.parts().get(i).range().start(), split.range().start()) > 0);
    }
  }

  @Test
  void splitsHaveEqualBytesWherePiecesAreSmall() {
    Seeds.check(
        random -> {
          int wanted = 2 + random.nextInt(15);
          List<RegionPieces> regions = new ArrayList<>();
          long all = 0;
          int row = 0;
          int count = 1 + random.nextInt(5);
          List<Integer> sizes = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            sizes.add(wanted * (5 + random.nextInt(100)));
          }
          for (int i = 0; i < count; i++) {
            List<Piece> pieces = new ArrayList<>();
            byte[] start = i == 0 ? new byte[0] : b(String.format("%06d", row));
            long bytes = 0;
            for (int piece = 0; piece < sizes.get(i); piece++) {
              long size = 500L + random.nextInt(501);
              pieces.add(new Piece(b(String.format("%06d", row++)), size));
              bytes += size;
            }
            byte[] end = i == count - 1 ? new byte[0] : b(String.format("%06d", row));
            regions.add(new RegionPieces(KeyRange.of(start, end), bytes, false, pieces));
            all += bytes;
          }
          List<PlannedSplit> splits = SplitPlan.of(regions, KeyRange.ALL, SplitGoal.total(wanted));
          double ideal = (double) all / wanted;
          if (ideal < 10_000) {
            return; // the pieces are too large for it
          }
          assertEquals(wanted, splits.size());
          for (PlannedSplit split : splits) {
            assertEquals(ideal, (double) split.length(), ideal / 5, "of " + splits.size());
          }
        });
  }

  @Test
  void withoutPiecesRegionsAreCutByKeys() {
    List<RegionPieces> regions =
        List.of(RegionPieces.whole(range("", "3"), 300), RegionPieces.whole(range("3", ""), 700));
    List<PlannedSplit> splits = SplitPlan.of(regions, KeyRange.ALL, SplitGoal.total(10));
    assertEquals(10, splits.size());
    splits.forEach(split -> assertEquals(100.0, (double) split.length(), 20));
  }

  @Test
  void aLargeRegionGetsMoreSplitsAndSmallOnesShareOne() {
    List<RegionPieces> regions =
        List.of(
            RegionPieces.whole(range("", "b"), 10),
            RegionPieces.whole(range("b", "c"), 10),
            RegionPieces.whole(range("c", "d"), 980),
            RegionPieces.whole(range("d", ""), 0));
    List<PlannedSplit> splits = SplitPlan.of(regions, KeyRange.ALL, SplitGoal.bytes(100));
    assertEquals(10, splits.size());
    assertTrue(splits.get(0).parts().size() >= 3);
    assertEquals(2, splits.get(9).parts().size());
  }

  @Test
  void aRegionThatTheJobLeavesOutIsInNoSplit() {
    List<RegionPieces> regions =
        List.of(RegionPieces.whole(range("", "b"), 10), RegionPieces.whole(range("c", ""), 10));
    List<PlannedSplit> splits = SplitPlan.of(regions, KeyRange.ALL, SplitGoal.bytes(1000));
    assertEquals(2, splits.size());
    assertEquals(0, found(splits, b("b")));
  }

  @Test
  void splitsPerRegionAreCutWithinEach() {
    List<RegionPieces> regions =
        List.of(RegionPieces.whole(range("", "5"), 10), RegionPieces.whole(range("5", ""), 1000));
    List<PlannedSplit> splits = SplitPlan.of(regions, KeyRange.ALL, SplitGoal.perRegion(5));
    assertEquals(10, splits.size());
    assertTrue(splits.stream().allMatch(split -> split.parts().size() == 1));
  }

  @Test
  void regionsOfUnknownSizeWeighTheSame() {
    List<RegionPieces> regions =
        List.of(
            RegionPieces.whole(range("", "2"), 0),
            RegionPieces.whole(range("2", "4"), 0),
            RegionPieces.whole(range("4", "6"), 0),
            RegionPieces.whole(range("6", ""), 0));
    assertEquals(4, SplitPlan.of(regions, KeyRange.ALL, SplitGoal.bytes(1000)).size());
    List<PlannedSplit> splits = SplitPlan.of(regions, KeyRange.ALL, SplitGoal.total(2));
    assertEquals(2, splits.size());
    assertArrayEquals(b("4"), splits.get(1).range().start());
    splits.forEach(split -> assertEquals(1, split.length()));
  }

  @Test
  void aScanOfNothingHasNoSplits() {
    List<RegionPieces> regions = List.of(RegionPieces.whole(KeyRange.ALL, 10));
    assertTrue(SplitPlan.of(regions, range("b", "a"), SplitGoal.total(3)).isEmpty());
    assertTrue(SplitPlan.of(List.of(), KeyRange.ALL, SplitGoal.total(3)).isEmpty());
  }

  @Test
  void tenThousandRegionsArePlannedInSeconds() {
    List<RegionPieces> regions = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      byte[] start = i == 0 ? new byte[0] : b(String.format("%05d", i));
      byte[] end = i == 9_999 ? new byte[0] : b(String.format("%05d", i + 1));
      List<Piece> pieces = new ArrayList<>();
      for (int piece = 0; piece < 10; piece++) {
        pieces.add(new Piece(b(String.format("%05d-%d", i, piece)), 100 + i % 7));
      }
      regions.add(new RegionPieces(KeyRange.of(start, end), 1000, false, pieces));
    }
    List<PlannedSplit> splits =
        assertTimeout(
            Duration.ofSeconds(10),
            () -> SplitPlan.of(regions, KeyRange.ALL, SplitGoal.total(15_000)));
    assertEquals(15_000, splits.size());
  }
}
