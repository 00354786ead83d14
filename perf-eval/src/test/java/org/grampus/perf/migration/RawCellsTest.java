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

  private static Cell marker(byte[] family, long time, KeyValue.Type type) {
    return new KeyValue(ROW, family, Q, time, type);
  }

  @Test
  void aMarkerIsKeptAndWhatItHidesIsNot() {
    Cell marker = marker(TableShape.F, 7, KeyValue.Type.DeleteColumn);
    Cell newer = put(TableShape.F, 8);
    assertEquals(
        List.of(newer, marker), RawCells.kept(List.of(newer, marker, put(TableShape.F, 6))));
  }

  @Test
  void aMarkerThatANewerOneCoversHidesNothing() {
    Cell family = new KeyValue(ROW, TableShape.F, new byte[0], 9, KeyValue.Type.DeleteFamily);
    Cell column = marker(TableShape.F, 7, KeyValue.Type.DeleteColumn);
    assertEquals(List.of(family), RawCells.kept(List.of(family, column)));
  }

  @Test
  void aHiddenVersionDoesNotCount() {
    Cell marker = marker(TableShape.H, 7, KeyValue.Type.Delete);
    Cell older = put(TableShape.H, 6);
    assertEquals(
        List.of(marker, older), RawCells.kept(List.of(marker, put(TableShape.H, 7), older)));
  }

  @Test
  void aColumnEndsAtItsLimitOfVersions() {
    Cell newest = put(TableShape.H, 7);
    assertEquals(
        List.of(newest),
        RawCells.kept(
            List.of(
                newest,
                marker(TableShape.H, 6, KeyValue.Type.DeleteColumn),
                put(TableShape.H, 5))));
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
