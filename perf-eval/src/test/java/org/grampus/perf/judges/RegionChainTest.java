package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

final class RegionChainTest {
  private static List<RegionInfo> regions(String... bounds) {
    List<RegionInfo> regions = new ArrayList<>();
    for (int i = 0; i < bounds.length; i += 2) {
      regions.add(
          RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
              .setStartKey(Bytes.toBytes(bounds[i]))
              .setEndKey(Bytes.toBytes(bounds[i + 1]))
              .setRegionId(1)
              .build());
    }
    return regions;
  }

  private static void assertFault(String fault, List<RegionInfo> regions) {
    List<String> faults = RegionChain.faults(regions);
    assertEquals(1, faults.size(), faults.toString());
    assertTrue(faults.get(0).contains(fault), faults.toString());
  }

  @Test
  void acceptsRegionsInAnyOrderThatCoverAllRows() {
    assertEquals(List.of(), RegionChain.faults(regions("", "")));
    assertEquals(List.of(), RegionChain.faults(regions("m", "", "", "c", "c", "m")));
  }

  @Test
  void findsHoles() {
    assertFault("there is no region", regions());
    assertFault("hole before t,c,", regions("", "b", "c", ""));
    assertFault("hole before t,a,", regions("a", ""));
    assertFault("hole behind t,b,", regions("", "b", "b", "c"));
  }

  @Test
  void findsOverlaps() {
    assertFault("t,b,", regions("", "c", "b", ""));
    assertFault("t,m,", regions("", "", "m", ""));
    assertFault("t,,", regions("", "", "", ""));
  }
}
