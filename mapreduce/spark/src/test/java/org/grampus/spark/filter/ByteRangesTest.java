package org.grampus.spark.filter;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.spark.mapping.ColumnType;
import org.junit.jupiter.api.Test;

/** Which parts of a table a set of keys needs, and the ends of the types. */
class ByteRangesTest {
  private static boolean meets(ByteRanges ranges, String start, String stop) {
    return ranges.meets(Bytes.toBytes(start), Bytes.toBytes(stop));
  }

  @Test
  void aSplitIsNeededIfOneOfItsRowsIs() {
    ByteRanges two = ByteRanges.point(Bytes.toBytes("b")).or(ByteRanges.prefix(Bytes.toBytes("d")));
    assertTrue(meets(two, "", ""));
    assertTrue(meets(two, "b", "c"));
    assertTrue(meets(two, "a", "c"));
    assertTrue(meets(two, "dz", ""));
    assertFalse(meets(two, "", "b"), "the end is not in it");
    assertFalse(meets(two, "ba", "d"), "between them");
    assertFalse(meets(two, "e", ""));
    assertFalse(meets(ByteRanges.NONE, "", ""));
    assertTrue(meets(ByteRanges.ALL, "x", "y"));
  }

  @Test
  void timesAreRoundedUpAtBothEndsOfTheirType() {
    for (long micros : new long[] {Long.MIN_VALUE, -1001, -1000, -999, 0, 1, 1000, 1001}) {
      long millis = Math.floorDiv(micros, 1000L) + (Math.floorMod(micros, 1000L) == 0 ? 0 : 1);
      ByteRanges from = ValueRanges.atLeast(ColumnType.TIMESTAMP, micros);
      assertTrue(has(from, millis), micros + " us");
      assertFalse(has(from, millis - 1), micros + " us");
    }
  }

  private static boolean has(ByteRanges ranges, long value) {
    byte[] bytes = Bytes.toBytes(value);
    return ranges.meets(bytes, ByteRanges.after(bytes));
  }
}
