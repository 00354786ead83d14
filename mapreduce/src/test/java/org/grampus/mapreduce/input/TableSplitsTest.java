package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
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

  private static TableSplit served(String start, String end, String host, int port, long bytes) {
    byte[] first = Bytes.toBytes(start);
    byte[] last = Bytes.toBytes(end);
    RegionInfo region =
        RegionInfoBuilder.newBuilder(NAME).setStartKey(first).setEndKey(last).build();
    ServerName server = ServerName.valueOf(host, port, 1);
    return new ServedRegion(NAME, first, last, new HRegionLocation(region, server), bytes);
  }

  @Test
  void splitsPerServerAreOfOneServerEachWhereRegionsAlternate() {
    TableSplit[] alternating = {
      served("", "2", "h1", 1, 100),
      served("2", "4", "h2", 1, 100),
      served("4", "6", "h1", 1, 300),
      served("6", "", "h2", 1, 100)
    };
    assertEquals("-2@h1 2-4@h2 4-6@h1 6-@h2", show(plan(SplitGoal.perServer(1), alternating)));
    assertEquals("-2@h1 2-4@h2 4-6@h1 6-@h2", show(plan(SplitGoal.perServer(2), alternating)));
    assertEquals(
        List.of("h1", "h2", "h2", "h1", "h1", "h1", "h2", "h2"),
        plan(SplitGoal.perServer(4), alternating).stream()
            .map(TableSplit::getRegionLocation)
            .toList(),
        "each server has four, and the larger region of h1 more of its");
  }

  @Test
  void splitsPerServerAreOfServersOfOneHostToo() {
    assertEquals(
        "-4@h 4-6@h 6-@h",
        show(
            plan(
                SplitGoal.perServer(1),
                served("", "2", "h", 1, 10),
                served("2", "4", "h", 1, 10),
                served("4", "6", "h", 2, 10),
                served("6", "", "h", 3, 10))));
  }

  @Test
  void aServerWithoutKnownBytesHasItsNumberOfSplits() {
    assertEquals(
        "-4@h1 4-@h2",
        show(
            plan(
                SplitGoal.perServer(1),
                served("", "2", "h1", 1, 0),
                served("2", "4", "h1", 1, 0),
                served("4", "", "h2", 1, 0))));
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
