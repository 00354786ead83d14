package org.grampus.mapreduce.input;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cuts the rows of a scan into splits of equal bytes. Pure: the same input makes the same plan. */
final class SplitPlan {
  private final List<RegionPieces> regions;
  private final SplitGoal goal;
  private final UniformKeys keys;
  private final List<List<Slice>> groups = new ArrayList<>();

  private SplitPlan(List<RegionPieces> regions, SplitGoal goal) {
    this.regions = regions;
    this.goal = goal;
    this.keys = UniformKeys.ofRegions(regions.stream().map(RegionPieces::range).toList());
  }

  /**
   * The splits of a scan over regions.
   *
   * @param regions ascending and apart from each other; between two there may be a gap
   * @return ascending; all rows of the scan that are in a region, but for regions that are empty
   */
  public static List<PlannedSplit> of(List<RegionPieces> regions, KeyRange scan, SplitGoal goal) {
    boolean known = regions.stream().anyMatch(region -> region.bytes() > 0);
    SplitPlan plan = new SplitPlan(regions, known ? goal : goal.withoutBytes());
    plan.group(scan);
    plan.weigh();
    return plan.splits();
  }

  /**
   * Slices that may be in one split are a group: those of a region, or of regions that meet, and
   * are on one server if the goal is one of servers.
   */
  private void group(KeyRange scan) {
    RegionPieces before = null;
    boolean open = false; // whether the next region's slices go on with the last group
    for (int index = 0; index < regions.size(); index++) {
      RegionPieces region = regions.get(index);
      open &= before == null || mayJoin(before, region);
      before = region;
      if (region.empty() || region.range().intersect(scan).isEmpty()) {
        continue;
      }
      if (!open) {
        groups.add(new ArrayList<>());
      }
      groups.get(groups.size() - 1).addAll(Slice.ofRegion(index, region, scan, keys));
      open = goal.joinsRegions();
    }
  }

  private boolean mayJoin(RegionPieces before, RegionPieces region) {
    return before.range().meets(region.range())
        && (!goal.isPerServer() || before.server().equals(region.server()));
  }

  /** Where nothing is known of bytes, every region weighs the same. */
  private void weigh() {
    if (weightOfAll() > 0) {
      return;
    }
    for (List<Slice> group : groups) {
      group.replaceAll(slice -> slice.weighing(1));
    }
  }

  private double weightOfAll() {
    return groups.stream().mapToDouble(SplitPlan::weight).sum();
  }

  private static double weight(List<Slice> slices) {
    return slices.stream().mapToDouble(Slice::weight).sum();
  }

  private List<PlannedSplit> splits() {
    int[] wanted = wanted();
    List<PlannedSplit> splits = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      cut(groups.get(i), wanted[i], splits);
    }
    return splits;
  }

  /** The number of splits of each group, of those that share a number together. */
  private int[] wanted() {
    Map<String, List<Integer>> sharing = new LinkedHashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      String server = regions.get(groups.get(i).get(0).region()).server();
      String shared = goal.isPerServer() ? server : "";
      sharing.computeIfAbsent(shared, of -> new ArrayList<>()).add(i);
    }
    int[] wanted = new int[groups.size()];
    for (List<Integer> together : sharing.values()) {
      double[] weights = together.stream().mapToDouble(i -> weight(groups.get(i))).toArray();
      int[] splits = goal.splits(weights);
      for (int i = 0; i < splits.length; i++) {
        wanted[together.get(i)] = splits[i];
      }
    }
    return wanted;
  }

  /** Cuts a group where a slice ends nearest to each place that would make equal splits. */
  private void cut(List<Slice> group, int wanted, List<PlannedSplit> splits) {
    List<Slice> slices = wanted == 1 ? group : fine(group, wanted);
    double target = weight(slices) / wanted;
    int start = 0;
    int end = 0;
    double reached = 0;
    for (int split = 1; split < wanted && end < slices.size(); split++) {
      double place = split * target;
      while (end < slices.size() && reached + slices.get(end).weight() / 2 <= place) {
        reached += slices.get(end++).weight();
      }
      if (end > start && end < slices.size()) {
        splits.add(PlannedSplit.of(slices.subList(start, end)));
        start = end;
      }
    }
    splits.add(PlannedSplit.of(slices.subList(start, slices.size())));
  }

  /** Slices so small that splits can be equal; what pieces did not cut, keys do. */
  private List<Slice> fine(List<Slice> group, int wanted) {
    double sliceMax = weight(group) / wanted / SplitGoal.PIECES_PER_SPLIT;
    List<Slice> fine = new ArrayList<>();
    for (Slice slice : group) {
      // A piece that is only a little larger is as its files have it; a guess makes it no better.
      double limit = slice.weight() > 2 * sliceMax || sliceMax == 0 ? sliceMax : Double.MAX_VALUE;
      fine.addAll(limit > 0 ? slice.cut(limit, keys) : List.of(slice));
    }
    return fine;
  }
}
