package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.input.Seeds;
import org.junit.jupiter.api.Test;

class KeptRowsTest {
  private static final byte[] F = {'f'};
  private static final byte[] G = {'g'};

  /** Of requests that are sent again in part no order is known; of single puts it is. */
  @Test
  void aRowIsSentOnceWithTheLastOfEqualCells() throws IOException {
    Seeds.check(
        200,
        random -> {
          KeptRows kept = new KeptRows();
          for (int flush = 0; flush < 3; flush++) {
            Map<String, String> expected = new TreeMap<>();
            List<String> rows = new ArrayList<>();
            for (int record = random.nextInt(30); record > 0; record--) {
              String row = "row" + random.nextInt(6);
              if (!rows.contains(row)) {
                rows.add(row);
              }
              Put put = new Put(Bytes.toBytes(row), 7);
              for (byte[] family : List.of(F, G)) {
                byte[] qualifier = {(byte) ('a' + random.nextInt(3))};
                long timestamp = 7L + random.nextInt(2);
                byte[] value = Bytes.toBytes("record " + record);
                put.addColumn(family, qualifier, timestamp, value);
                expected.put(name(put, family, qualifier, timestamp), "record " + record);
              }
              kept.add(put);
            }
            assertEquals(rows.size(), kept.size());
            assertSent(kept.take(), rows, expected);
          }
        });
  }

  private static String name(Put put, byte[] family, byte[] qualifier, long timestamp) {
    return Bytes.toString(put.getRow())
        + Bytes.toString(family)
        + Bytes.toString(qualifier)
        + timestamp;
  }

  private static void assertSent(List<Put> puts, List<String> rows, Map<String, String> expected) {
    assertEquals(rows, puts.stream().map(put -> Bytes.toString(put.getRow())).toList());
    Map<String, String> sent = new TreeMap<>();
    for (Put put : puts) {
      for (List<Cell> cells : put.getFamilyCellMap().values()) {
        for (Cell cell : cells) {
          String name =
              name(
                  put,
                  CellUtil.cloneFamily(cell),
                  CellUtil.cloneQualifier(cell),
                  cell.getTimestamp());
          assertNull(sent.put(name, Bytes.toString(CellUtil.cloneValue(cell))), name);
        }
      }
    }
    assertEquals(expected, sent);
  }
}
