package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableSplit;

/** The splits of a job over a table, from one split of HBase's for each region. */
public final class TableSplits {
  private TableSplits() {}

  /** What a job wants, by its keys. */
  public static SplitGoal goal(Configuration conf, List<TableSplit> regions, KeyRange scan) {
    List<TableSplit> wanted =
        regions.stream().filter(region -> !range(region).intersect(scan).isEmpty()).toList();
    int servers = (int) wanted.stream().map(TableSplit::getRegionLocation).distinct().count();
    long bytes = wanted.stream().mapToLong(TableSplit::getLength).sum();
    return SplitKeys.ofTable(conf, servers, wanted.size(), bytes);
  }

  /**
   * Plans splits.
   *
   * @param regions ascending; a region is never taken to be empty, for it may have rows in memory
   */
  public static List<PlannedTableSplit> plan(
      List<TableSplit> regions, KeyRange scan, SplitGoal goal, PieceSource source)
      throws IOException {
    List<RegionPieces> known =
        regions.stream()
            .map(region -> RegionPieces.whole(range(region), region.getLength()))
            .toList();
    List<RegionPieces> sourced = SourcedRegions.of(known, scan, goal, source);
    List<PlannedTableSplit> splits = new ArrayList<>();
    for (PlannedSplit planned : SplitPlan.of(sourced, scan, goal)) {
      TableSplit first = regions.get(planned.parts().get(0).region());
      splits.add(new PlannedTableSplit(first, planned));
    }
    return splits;
  }

  private static KeyRange range(TableSplit region) {
    return KeyRange.of(region.getStartRow(), region.getEndRow());
  }
}
