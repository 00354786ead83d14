package org.grampus.perf.moving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

final class PassTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final Pass BULK = Pass.until(1_000_000);

  @Test
  void eachPassBeginsBeforeTheEndOfTheOneBefore() {
    assertEquals(new Pass(1, 0, 1_000_000), BULK);
    assertEquals(new Pass(2, 995_000, 2_000_000), BULK.next(2_000_000));
    assertEquals(new Pass(2, 995_000, Long.MAX_VALUE), BULK.last());
    assertEquals(new Pass(1, 0, 10), Pass.between(3, 10));
  }

  @Test
  void theLastOneAloneHasNoEnd() {
    assertTrue(BULK.last().isLast());
    assertFalse(BULK.next(2_000_000).isLast());
    assertEquals("pass 1", BULK.toString());
    assertEquals("last pass", BULK.last().toString());
  }

  @Test
  void anExportHasMarkersAllVersionsAndTheRange() {
    assertEquals(
        List.of(
            "-Dhbase.mapreduce.include.deleted.rows=true",
            "t",
            "file:/move",
            "2147483647",
            "0",
            "1000000"),
        ExportedFiles.exported(TABLE, "file:/move", BULK));
    assertEquals(
        List.of(
            "-Dhbase.mapreduce.include.deleted.rows=true",
            "t",
            "file:/move",
            "2147483647",
            "995000"),
        ExportedFiles.exported(TABLE, "file:/move", BULK.last()));
  }

  @Test
  void aCopyHasMarkersAllVersionsAndTheRange() {
    assertEquals(
        List.of(
            "--all.cells",
            "--versions=2147483647",
            "--starttime=0",
            "--endtime=1000000",
            "--peer.adr=zk:2181:/hbase",
            "t"),
        CopiedCells.copied(TABLE, "zk:2181:/hbase", BULK));
    assertEquals(
        List.of(
            "--all.cells",
            "--versions=2147483647",
            "--starttime=995000",
            "--peer.adr=zk:2181:/hbase",
            "t"),
        CopiedCells.copied(TABLE, "zk:2181:/hbase", BULK.last()));
  }
}
