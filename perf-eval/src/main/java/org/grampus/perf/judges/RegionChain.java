package org.grampus.perf.judges;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** The regions of a table, which must cover all rows, each once. */
final class RegionChain {
  private RegionChain() {}

  /** Sentences on holes and overlaps; none when there are none. */
  static List<String> faults(List<RegionInfo> regions) {
    if (regions.isEmpty()) {
      return List.of("there is no region");
    }
    List<RegionInfo> sorted = regions.stream().sorted(RegionInfo.COMPARATOR).toList();
    List<String> faults = new ArrayList<>();
    byte[] end = new byte[0]; // of the region before: the first one begins with the empty row
    boolean isEnd = false; // whether that region has the last row
    for (RegionInfo region : sorted) {
      if (isEnd || Bytes.compareTo(region.getStartKey(), end) < 0) {
        faults.add(region.getRegionNameAsString() + " overlaps the region before");
      } else if (Bytes.compareTo(region.getStartKey(), end) > 0) {
        faults.add("there is a hole before " + region.getRegionNameAsString());
      }
      end = region.getEndKey();
      isEnd = end.length == 0;
    }
    if (!isEnd) {
      faults.add("there is a hole behind " + sorted.get(sorted.size() - 1).getRegionNameAsString());
    }
    return faults;
  }
}
