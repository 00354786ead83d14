package org.grampus.perf.pe.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.option.PeOptions;
import org.junit.jupiter.api.Test;

final class TableShapeTest {
  private static PeOptions options(String line) {
    return PeOptions.parse(List.of((line + " sequentialWrite 1").split(" ")));
  }

  @Test
  void optionsOfCreationAreInTheTable() {
    TableDescriptor table =
        TableShape.of(
            options("--table=T --families=2 --compress=GZ --inmemory=true --blockSize=4096"));

    assertEquals("T", table.getTableName().getNameAsString());
    assertEquals(2, table.getColumnFamilyCount());
    assertEquals(
        Compression.Algorithm.GZ,
        table.getColumnFamily(Bytes.toBytes("info1")).getCompressionType());
    assertEquals(4096, table.getColumnFamily(Bytes.toBytes("info0")).getBlocksize());
  }

  @Test
  void regionsHaveAsManyRows() {
    List<Long> splits = Arrays.stream(TableShape.splits(4, 100)).map(RowKey::number).toList();

    assertEquals(List.of(25L, 50L, 75L), splits);
    assertEquals(0, TableShape.splits(1, 100).length);
    assertEquals(0, TableShape.splits(0, 100).length);
  }

  @Test
  void regionsOfLongsDoNotOverflow() {
    long rows = Long.MAX_VALUE;

    assertEquals(rows / 3 * 2, RowKey.number(TableShape.splits(3, rows)[1]));
  }

  @Test
  void moreRegionsThanRowsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> TableShape.splits(5, 4));
  }

  @Test
  void onlyWhatWasGivenAndDiffersIsADifference() {
    TableDescriptor table = TableShape.of(options("--compress=GZ --bloomFilter=NONE"));

    assertEquals(List.of(), TableShape.differences(options("--rows=5"), table));
    assertEquals(List.of(), TableShape.differences(options("--compress=GZ"), table));
    assertEquals(
        List.of(
            new TableShape.Difference("--compress=SNAPPY", "GZ"),
            new TableShape.Difference("--bloomFilter=ROW", "NONE")),
        TableShape.differences(options("--compress=SNAPPY --bloomFilter=ROW"), table));
  }
}
