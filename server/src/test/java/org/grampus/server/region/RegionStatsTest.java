package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.hbase.client.CompactionState;
import org.junit.jupiter.api.Test;

class RegionStatsTest {
  private static final String HEAD =
      "{\"memtableBytes\":5000000000,\"storeFileBytes\":6000000000,\"storeFileCount\":3,"
          + "\"readRequests\":1,\"writeRequests\":2,\"filteredReads\":3,\"flushedSequence\":41,"
          + "\"lastSequence\":50,\"hasReferences\":true,\"referenceCount\":1,"
          + "\"largestStoreFileCount\":2,\"oldestFileMillis\":1700000000000,"
          + "\"newestFileMillis\":1700000000002,\"sumOfFileMillis\":5100000000003,"
          + "\"compactionState\":\"MAJOR_AND_MINOR\",\"lastMajorMillis\":1700000000001,"
          + "\"compactingCells\":9,\"compactedCells\":4,\"ownFileBytes\":5900000000,"
          + "\"uncompressedBytes\":7000000000,\"openFileBytes\":71,\"footerBytes\":72,"
          + "\"bloomBytes\":73,\"fileReaders\":8,\"replacedFileReaders\":5,\"stores\":[";

  @Test
  void everyNumberOfTheEngineArrives() {
    String store = "{\"family\":\"66\",\"files\":3,\"bytes\":6000000000,\"flushedSequence\":41}";
    assertEquals(
        new RegionStats(
            5_000_000_000L,
            6_000_000_000L,
            3,
            2,
            1,
            new RegionStats.FileParts(5_900_000_000L, 7_000_000_000L, 71, 72, 73),
            new RegionStats.Readers(8, 5),
            new RegionStats.FileTimes(1_700_000_000_000L, 1_700_000_000_002L, 5_100_000_000_003L),
            41,
            true,
            new RegionStats.Compaction(CompactionState.MAJOR_AND_MINOR, 1_700_000_000_001L, 9, 4),
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
        RuntimeException.class, () -> RegionStats.parse("{\"memtableBytes\":1,\"stores\":[]}"));
  }
}
