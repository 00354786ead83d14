package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Cells of a row, whose records come in any order. */
class SortedCellsTest {
  private static final byte[] F = Bytes.toBytes("f");

  private static Put row(int split, long record, String qualifier, long timestamp, String value) {
    Put row = new Put(F).addColumn(F, Bytes.toBytes(qualifier), timestamp, Bytes.toBytes(value));
    new RowOrder(split, record).write(row);
    return row;
  }

  @Test
  void theLastRecordCountsAndCellsAreInOrder() throws Exception {
    SortedCells cells = new SortedCells(1 << 20);
    cells.add(row(1, 2, "b", 5, "second"));
    cells.add(row(0, 7, "b", 5, "first"));
    cells.add(row(1, 1, "a", 5, "a"));
    cells.add(row(1, 0, "b", 6, "newer"));
    List<String> values =
        cells.inOrder().stream().map(cell -> Bytes.toString(CellUtil.cloneValue(cell))).toList();
    assertEquals(List.of("a", "newer", "second"), values);
  }

  @Test
  void theLastRecordOfASplitCountsInBothOrders() throws Exception {
    List<Put> rows = List.of(row(1, 2, "b", 5, "second"), row(1, 3, "b", 5, "third"));
    for (int first : new int[] {0, 1}) {
      SortedCells cells = new SortedCells(1 << 20);
      cells.add(rows.get(first));
      cells.add(rows.get(1 - first));
      List<String> values =
          cells.inOrder().stream().map(cell -> Bytes.toString(CellUtil.cloneValue(cell))).toList();
      assertEquals(List.of("third"), values);
    }
  }

  @Test
  void recordsWhoseCellsAreReplacedTakeNoRoom() throws Exception {
    for (boolean lastFirst : new boolean[] {true, false}) {
      SortedCells cells = new SortedCells(2000);
      for (int i = 0; i < 1000; i++) {
        cells.add(row(0, lastFirst ? 1000 - i : i, "b", 5, lastFirst ? "" + i : "x".repeat(i)));
      }
      assertEquals(1, cells.inOrder().size());
    }
  }

  @Test
  void valuesThatReplaceOthersAreCounted() throws Exception {
    SortedCells cells = new SortedCells(2000);
    cells.add(row(0, 0, "b", 5, "small"));
    assertThrows(IOException.class, () -> cells.add(row(0, 1, "b", 5, "x".repeat(3000))));
  }

  @Test
  void aRowThatDoesNotFitIsNamed() {
    SortedCells cells = new SortedCells(100);
    IOException refusal = assertThrows(IOException.class, () -> cells.add(row(0, 0, "a", 1, "v")));
    assertTrue(refusal.getMessage().startsWith("row f has more than"), refusal.getMessage());
  }
}
