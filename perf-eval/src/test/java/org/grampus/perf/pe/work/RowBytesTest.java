package org.grampus.perf.pe.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

final class RowBytesTest {
  private static final byte[] ROW = new byte[26];
  private static final byte[] FAMILY = new byte[5];
  private static final byte[] QUALIFIER = new byte[1];

  @Test
  void aKeyCountsOnceAndEachCellWithItsNames() {
    long expected = 26 + (5 + 1 + 100) + (5 + 2 + 0);

    assertEquals(
        expected,
        RowBytes.of(
            new Put(ROW)
                .addColumn(FAMILY, QUALIFIER, new byte[100])
                .addColumn(FAMILY, new byte[2], new byte[0])));
    assertEquals(
        expected,
        RowBytes.of(
            Result.create(
                List.of(
                    new KeyValue(ROW, FAMILY, QUALIFIER, 1, new byte[100]),
                    new KeyValue(ROW, FAMILY, new byte[2], 1, new byte[0])))));
  }

  @Test
  void nothingHasNoBytes() {
    assertEquals(0, RowBytes.of(Result.EMPTY_RESULT));
  }
}
