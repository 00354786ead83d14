package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class RegionStatsTest {
  private static final String HEAD =
      "{\"memstoreBytes\":5000000000,\"storeFileBytes\":6000000000,\"storeFileCount\":3,"
          + "\"readRequests\":1,\"writeRequests\":2,\"filteredReads\":3,\"flushedSequence\":41,"
          + "\"lastSequence\":50,\"hasReferences\":true,\"compacting\":false,\"stores\":[";

  @Test
  void everyNumberOfTheEngineArrives() {
    String store = "{\"family\":\"66\",\"files\":3,\"bytes\":6000000000,\"flushedSequence\":41}";
    assertEquals(
        new RegionStats(
            5_000_000_000L,
            6_000_000_000L,
            3,
            41,
            true,
            false,
            List.of(new RegionStats.Store("66", 3, 6_000_000_000L, 41))),
        RegionStats.parse(HEAD + store + "]}"));
  }

  @Test
  void aRegionMayHaveNoStoreYet() {
    assertEquals(List.of(), RegionStats.parse(HEAD + "]}").stores());
  }

  @Test
  void aMissingNumberIsAnError() {
    assertThrows(
        RuntimeException.class, () -> RegionStats.parse("{\"memstoreBytes\":1,\"stores\":[]}"));
  }
}
