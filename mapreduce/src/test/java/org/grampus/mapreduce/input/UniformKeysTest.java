package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class UniformKeysTest {
  private static KeyRange range(String start, String end) {
    return KeyRange.of(Bytes.toBytesBinary(start), Bytes.toBytesBinary(end));
  }

  private static String cuts(KeyRange range, int parts, KeyRange... regions) {
    List<String> shown =
        UniformKeys.ofRegions(List.of(regions)).span(range).cuts(parts).stream()
            .map(Bytes::toStringBinary)
            .toList();
    return String.join(" ", shown);
  }

  @Test
  void aTableOfOneRegionIsCutByBytes() {
    assertEquals("@ \\x80 \\xC0", cuts(KeyRange.ALL, 4, KeyRange.ALL));
  }

  @Test
  void decimalKeysAreCutByDigits() {
    KeyRange[] regions = {range("", "3"), range("3", "7"), range("7", "")};
    assertEquals("1 2", cuts(range("", "3"), 3, regions));
    assertEquals("4 5 6", cuts(range("3", "7"), 4, regions));
    assertEquals("8 9", cuts(range("7", ""), 3, regions));
  }

  @Test
  void aSharedPrefixIsKept() {
    KeyRange[] regions = {range("", "user2"), range("user2", "user6"), range("user6", "")};
    assertEquals("user1", cuts(range("", "user2"), 2, regions));
    assertEquals("user4", cuts(range("user2", "user6"), 2, regions));
    assertEquals("user8", cuts(range("user6", ""), 2, regions));
  }

  @Test
  void aPrefixOfDigitsIsGivenUpWhereItLeavesNoRoom() {
    KeyRange[] regions = {range("", "k10"), range("k10", "k19"), range("k19", "")};
    assertEquals("k05", cuts(range("", "k10"), 2, regions));
    assertEquals("k595", cuts(range("k19", ""), 2, regions));
  }

  @Test
  void hexadecimalKeysAreCutByDigits() {
    KeyRange[] regions = {range("", "4"), range("4", "c"), range("c", "")};
    assertEquals("6 8 a", cuts(range("4", "c"), 4, regions));
    assertEquals("e", cuts(range("c", ""), 2, regions));
  }

  @Test
  void anOpenEndBehindHighBytesIsCutBehindThem() {
    KeyRange last = range("\\xFF\\xFF", "");
    assertEquals("\\xFF\\xFF\\x80", cuts(last, 2, last));
  }

  @Test
  void keysNextToEachOtherAreNotCut() {
    assertEquals("", cuts(range("a", "a\\x00"), 4, KeyRange.ALL));
  }

  @Test
  void cutsAscendWithinTheRange() {
    Seeds.check(
        random -> {
          Keys keys = Keys.any(random);
          KeyRange range = regions(keys, random).get(0);
          UniformKeys uniform = UniformKeys.ofRegions(regions(keys, random));
          int parts = 1 + random.nextInt(50);
          List<byte[]> cuts = uniform.span(range).cuts(parts);
          assertTrue(cuts.size() < parts);
          byte[] before = range.start();
          for (byte[] cut : cuts) {
            assertTrue(Bytes.compareTo(cut, before) > 0 && range.contains(cut));
            before = cut;
          }
        });
  }

  @Test
  void aShareGrowsWithTheKey() {
    Seeds.check(
        random -> {
          Keys keys = Keys.any(random);
          List<KeyRange> regions = regions(keys, random);
          KeyRange range = regions.get(random.nextInt(regions.size()));
          KeySpan span = UniformKeys.ofRegions(regions).span(range);
          byte[] a = keys.next(random);
          byte[] b = keys.next(random);
          boolean ordered = Bytes.compareTo(a, b) <= 0;
          double low = span.share(ordered ? a : b);
          double high = span.share(ordered ? b : a);
          assertTrue(0 <= low && low <= high && high <= 1, low + " " + high);
        });
  }

  /** A table's regions: they meet, and the first and the last are open. */
  static List<KeyRange> regions(Keys keys, Random random) {
    TreeSet<byte[]> boundaries = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = random.nextInt(8); i > 0; i--) {
      boundaries.add(keys.next(random));
    }
    List<KeyRange> regions = new ArrayList<>();
    byte[] start = new byte[0];
    for (byte[] boundary : boundaries) {
      regions.add(KeyRange.of(start, boundary));
      start = boundary;
    }
    regions.add(KeyRange.of(start, new byte[0]));
    return regions;
  }
}
