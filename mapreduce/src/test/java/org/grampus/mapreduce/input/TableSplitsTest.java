package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class TableSplitsTest {
  private static final TableName NAME = TableName.valueOf("t");

  private static TableSplit region(String start, String end, String host, long bytes) {
    return new TableSplit(
        NAME, null, Bytes.toBytes(start), Bytes.toBytes(end), host, host + start, bytes);
  }

  private static List<PlannedTableSplit> plan(SplitGoal goal, TableSplit... regions) {
    return TableSplits.plan(List.of(regions), KeyRange.ALL, goal);
  }

  private static String show(List<PlannedTableSplit> splits) {
    StringBuilder shown = new StringBuilder();
    for (PlannedTableSplit split : splits) {
      shown
          .append(Bytes.toString(split.getStartRow()))
          .append('-')
          .append(Bytes.toString(split.getEndRow()))
          .append('@')
          .append(split.getRegionLocation())
          .append(' ');
    }
    return shown.toString().trim();
  }

  @Test
  void aSplitIsNearTheRegionWithMostOfItsBytes() {
    List<PlannedTableSplit> splits =
        plan(
            SplitGoal.total(1),
            region("", "b", "h1", 10),
            region("b", "c", "h2", 500),
            region("c", "", "h3", 20));
    assertEquals("-@h2", show(splits));
    assertEquals("h2b", splits.get(0).getEncodedRegionName());
  }

  @Test
  void aRegionAndItsDaughtersAreReadOnce() {
    assertEquals(
        "-m@h1 m-@h3",
        show(
            plan(
                SplitGoal.perRegion(1),
                region("", "m", "h1", 10),
                region("", "f", "h2", 5),
                region("f", "m", "h2", 5),
                region("m", "", "h3", 10))));
  }

  @Test
  void aRegionThatGoesOnBehindAnotherIsReadToItsEnd() {
    assertEquals(
        "-t@h2 t-@h3",
        show(
            plan(
                SplitGoal.perRegion(1),
                region("", "m", "h1", 10),
                region("f", "t", "h2", 5),
                region("t", "", "h3", 10))));
  }

  @Test
  void regionsInAnyOrderAreAllRead() {
    assertEquals(
        "-m@h1 m-@h2",
        show(plan(SplitGoal.perRegion(1), region("m", "", "h2", 1), region("", "m", "h1", 1))));
  }

  @Test
  void aSplitOfOneRowIsKept() {
    assertEquals("r-r\0@h1", show(plan(SplitGoal.perRegion(3), region("r", "r", "h1", 1))));
  }
}
