package org.grampus.perf.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

final class CopyMethodTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final Pass FIRST = Pass.until(1_000_000);

  @Test
  void anExportHasMarkersAllVersionsAndTheRange() {
    assertEquals(
        List.of(
            "-Dhbase.mapreduce.include.deleted.rows=true",
            "t",
            "file:/files",
            "2147483647",
            "0",
            "1000000"),
        ExportedFiles.exportArguments(TABLE, "file:/files", FIRST));
    assertEquals(
        List.of(
            "-Dhbase.mapreduce.include.deleted.rows=true",
            "t",
            "file:/files",
            "2147483647",
            "995000"),
        ExportedFiles.exportArguments(TABLE, "file:/files", FIRST.last()));
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
        CopiedCells.arguments(TABLE, "zk:2181:/hbase", FIRST));
    assertEquals(
        List.of(
            "--all.cells",
            "--versions=2147483647",
            "--starttime=995000",
            "--peer.adr=zk:2181:/hbase",
            "t"),
        CopiedCells.arguments(TABLE, "zk:2181:/hbase", FIRST.last()));
  }

  @Test
  void aSnapshotIsCopiedFromFilesOfTheSourceIntoItsTable() {
    assertEquals(
        List.of(
            "-Dhbase.rootdir=file:/hbase",
            "--all.cells",
            "--versions=2147483647",
            "--snapshot",
            "--new.name=t",
            "t-1"),
        CopiedSnapshot.arguments(TABLE, "file:/hbase", "t-1"));
  }
}
