package org.grampus.spark.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.grampus.spark.mapping.Mapping;
import org.junit.jupiter.api.Test;

/** Times of rows: what a table has not is refused. */
class RowPutsTest {
  private static final Mapping MAPPING =
      Mapping.parse(":key=k:timestamp,f:t=t:timestamp,f:v=v:long+ts");
  private static final RowPuts PUTS = RowPuts.of(MAPPING, MAPPING.schema());

  private static GenericInternalRow row(long key, long time, long stamp) {
    return new GenericInternalRow(new Object[] {key, time, 1L, stamp});
  }

  private static void refused(String field, GenericInternalRow row) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> PUTS.put(row), field).getMessage();
    assertTrue(said.startsWith("a row's " + field + ": 1970-01-01T00:00:00.00"), said);
    assertTrue(said.contains("more than milliseconds"), said);
  }

  @Test
  void timesOfMicrosecondsAreNotCutOff() {
    assertEquals(5, Bytes.toLong(PUTS.put(row(5_000, 6_000, 7_000)).getRow()));
    refused("k", row(5_001, 6_000, 7_000));
    refused("t", row(5_000, 6_001, 7_000));
    refused("v_ts", row(5_000, 6_000, 7_001));
  }
}
