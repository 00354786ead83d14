package org.grampus.mapreduce.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.grampus.mapreduce.settings.JobKeys;
import org.junit.jupiter.api.Test;

/** This package and the settings know nothing of each other, but both know these keys. */
class SnapshotKeysTest {
  @Test
  void theKeysOfSnapshotsAreThoseThatSettingsKnow() {
    assertEquals(JobKeys.SNAPSHOT_OWN, SnapshotRemoval.NAME_KEY);
    assertEquals(JobKeys.SNAPSHOT_TTL, OwnSnapshot.TTL_KEY);
    assertEquals(JobKeys.SNAPSHOT_CACHE_BYTES, FrozenRegions.CACHE_BYTES_KEY);
    assertEquals(JobKeys.SNAPSHOT_READ_AHEAD, FrozenRegions.READ_AHEAD_KEY);
  }
}
