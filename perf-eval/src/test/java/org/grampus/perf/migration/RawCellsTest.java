package org.grampus.perf.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

final class RawCellsTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] Q = Bytes.toBytes("q");

  private static Cell put(byte[] family, long time) {
    return new KeyValue(ROW, family, Q, time, KeyValue.Type.Put, ROW);
  }

  @Test
  void markersAreKept() {
    Cell marker = new KeyValue(ROW, TableShape.F, Q, 7, KeyValue.Type.DeleteColumn);
    assertEquals(List.of(marker), RawCells.kept(List.of(marker, put(TableShape.F, 6))));
  }

  @Test
  void aFamilyThatKeepsWhatIsDeletedHasItsVersions() {
    List<Cell> puts = new ArrayList<>();
    for (long time = 9; time > 0; time--) {
      puts.add(put(TableShape.G, time));
    }
    assertEquals(puts.subList(0, TableShape.G_VERSIONS), RawCells.kept(puts));
  }
}
