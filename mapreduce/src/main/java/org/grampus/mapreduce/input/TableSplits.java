package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;

/** The splits of a job over a table, from one split of HBase's for each region. Any thread. */
public final class TableSplits {
  private TableSplits() {}

  /** What a job wants, by its keys. */
  public static SplitGoal goal(Configuration conf, List<TableSplit> regions, KeyRange scan) {
    List<TableSplit> wanted =
        regions.stream().filter(region -> !range(region).intersect(scan).isEmpty()).toList();
    long bytes = wanted.stream().mapToLong(TableSplit::getLength).sum();
    return SplitSettings.ofTable(conf, wanted.size(), bytes);
  }

  /**
   * Plans splits. Regions that are to be cut are asked where their bytes are, unless the job
   * forbids it; those that do not say it soon are cut by their keys.
   *
   * @param connection to the servers; null = they are not asked
   * @throws IOException when the thread is interrupted; errors of servers are logged only
   */
  public static List<PlannedTableSplit> plan(
      Configuration conf,
      Connection connection,
      TableName table,
      List<TableSplit> regions,
      KeyRange scan,
      SplitGoal goal)
      throws IOException {
    if (connection == null || !SplitSettings.byBytes(conf)) {
      return plan(regions, scan, goal);
    }
    ServerPieces pieces = ServerPieces.of(connection, table);
    List<PlannedTableSplit> splits = plan(regions, scan, goal, pieces);
    pieces.log(table);
    return splits;
  }

  /** Plans splits by keys; no server is asked. */
  static List<PlannedTableSplit> plan(List<TableSplit> regions, KeyRange scan, SplitGoal goal) {
    List<TableSplit> apart = apart(regions);
    return splits(apart, SplitPlan.of(known(apart), scan, goal));
  }

  /** Plans splits; of the regions that are to be cut the source says the pieces. */
  static List<PlannedTableSplit> plan(
      List<TableSplit> regions, KeyRange scan, SplitGoal goal, PieceSource source)
      throws IOException {
    List<TableSplit> apart = apart(regions);
    return splits(apart, SplitPlan.of(CutRegions.of(known(apart), scan, goal, source), scan, goal));
  }

  /** A region is never taken to be empty, for it may have rows in memory. */
  private static List<RegionPieces> known(List<TableSplit> apart) {
    return apart.stream()
        .map(
            region ->
                RegionPieces.whole(range(region), region.getLength())
                    .on(ServedRegion.server(region)))
        .toList();
  }

  private static List<PlannedTableSplit> splits(List<TableSplit> apart, List<PlannedSplit> plan) {
    List<PlannedTableSplit> splits = new ArrayList<>();
    for (PlannedSplit planned : plan) {
      splits.add(new PlannedTableSplit(apart.get(planned.mainRegion()), planned));
    }
    return splits;
  }

  /**
   * The regions in the order of their keys, without those that are within one before. A list that
   * was read while a region split or merged may have both the region and what became of it; servers
   * find rows by their keys, so that one of both says enough.
   */
  private static List<TableSplit> apart(List<TableSplit> regions) {
    List<TableSplit> ascending = new ArrayList<>(regions);
    ascending.sort(Comparator.comparing(TableSplit::getStartRow, Bytes.BYTES_COMPARATOR));
    List<TableSplit> apart = new ArrayList<>();
    for (TableSplit region : ascending) {
      TableSplit before = apart.isEmpty() ? null : apart.get(apart.size() - 1);
      if (before == null || isBehind(region, before)) {
        apart.add(region);
      } else if (!endsWithin(region, before)) {
        apart.set(apart.size() - 1, ServedRegion.joined(before, region));
      }
    }
    return apart;
  }

  private static boolean isBehind(TableSplit region, TableSplit before) {
    return before.getEndRow().length > 0
        && Bytes.compareTo(region.getStartRow(), before.getEndRow()) >= 0;
  }

  private static boolean endsWithin(TableSplit region, TableSplit before) {
    boolean open = before.getEndRow().length == 0;
    return open
        || (region.getEndRow().length > 0
            && Bytes.compareTo(region.getEndRow(), before.getEndRow()) <= 0);
  }

  private static KeyRange range(TableSplit region) {
    return KeyRange.ofSplit(region.getStartRow(), region.getEndRow());
  }
}
