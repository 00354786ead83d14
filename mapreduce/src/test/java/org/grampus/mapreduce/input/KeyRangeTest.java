package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class KeyRangeTest {
  private static byte[] b(String key) {
    return Bytes.toBytes(key);
  }

  private static KeyRange range(String start, String end) {
    return KeyRange.of(b(start), b(end));
  }

  @Test
  void aScansEndsAreKeptAsItIncludesThem() {
    assertEquals(
        range("b", "d"), KeyRange.ofScan(new Scan().withStartRow(b("b")).withStopRow(b("d"))));
    assertEquals(
        range("b\0", "d\0"),
        KeyRange.ofScan(new Scan().withStartRow(b("b"), false).withStopRow(b("d"), true)));
    assertEquals(KeyRange.ALL, KeyRange.ofScan(new Scan()));
  }

  @Test
  void oneRowTwiceIsThatRow() {
    Scan scan = new Scan().withStartRow(b("b")).withStopRow(b("b"), true);
    assertEquals(range("b", "b\0"), KeyRange.ofScan(scan));
    assertEquals(range("b", "b\0"), KeyRange.ofSplit(b("b"), b("b")));
    assertTrue(KeyRange.ofScan(new Scan().withStartRow(b("b")).withStopRow(b("b"))).isEmpty());
  }

  @Test
  void aReversedScanCoversTheSameRows() {
    Scan scan = new Scan().setReversed(true).withStartRow(b("d")).withStopRow(b("b"));
    assertEquals(range("b\0", "d\0"), KeyRange.ofScan(scan));
  }

  @Test
  void nothingIsBehindTheLastPossibleRow() {
    byte[] last = new byte[HConstants.MAX_ROW_LENGTH];
    java.util.Arrays.fill(last, (byte) 0xFF);
    assertTrue(KeyRange.ofScan(new Scan().withStartRow(last, false)).isEmpty());
    assertEquals(KeyRange.ALL, KeyRange.ofScan(new Scan().withStopRow(last, true)));
    byte[] long1 = new byte[HConstants.MAX_ROW_LENGTH];
    long1[0] = 'a';
    byte[] after = KeyRange.after(long1);
    assertEquals(HConstants.MAX_ROW_LENGTH, after.length);
    assertTrue(Bytes.compareTo(after, long1) > 0);
  }

  @Test
  void aRowIsInBothOrNotInTheIntersection() {
    Seeds.check(
        random -> {
          Keys keys = Keys.any(random);
          KeyRange a = any(keys, random);
          KeyRange b = any(keys, random);
          byte[] row = keys.next(random);
          assertEquals(a.contains(row) && b.contains(row), a.intersect(b).contains(row));
          if (a.isEmpty()) {
            assertFalse(a.contains(row));
          }
        });
  }

  private static KeyRange any(Keys keys, java.util.Random random) {
    byte[] start = random.nextInt(4) == 0 ? new byte[0] : keys.next(random);
    byte[] end = random.nextInt(4) == 0 ? new byte[0] : keys.next(random);
    return KeyRange.of(start, end);
  }
}
