package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineJsonTest {
  @Test
  void partsStandInTheRecordAroundThemAndWhatIsNullIsLeftOut() {
    assertEquals("{}", EngineConfig.DEFAULTS.json());
    EngineConfig.CacheTier tier = new EngineConfig.CacheTier(List.of("/a"), 7, false, null);
    EngineConfig config =
        new EngineConfig(
            new EngineConfig.Memory(1L, null, 3L, tier),
            new EngineConfig.Wal(4, EngineConfig.Sync.FSYNC, true),
            null,
            null,
            null,
            5L);
    assertEquals(
        "{\"memtableBytes\":1,\"largeReadBytes\":3,\"blockCacheTier\":{\"paths\":[\"/a\"],\"bytes\":7,"
            + "\"reserve\":false},\"walSegmentBytes\":4,\"walSync\":\"fsync\",\"walSplitSkipErrors\":true,"
            + "\"nonceTtlMillis\":5}",
        config.json());
  }

  @Test
  void byteStringsAreLowerCaseHex() {
    byte[] family = {0, (byte) 0xAB};
    assertEquals(
        "{\"family\":\"00ab\",\"major\":true}",
        EngineJson.write(new CompactionRequest(family, true)));
    assertEquals("{\"major\":false}", EngineJson.write(new CompactionRequest(null, false)));
    SnapshotFiles files =
        EngineJson.read(
            "{\"families\":[{\"family\":\"00ab\",\"files\":[{\"name\":\"n\",\"bytes\":1},"
                + "{\"name\":\"m\",\"bytes\":2,\"reference\":\"ff\"}]}]}",
            SnapshotFiles.class);
    assertArrayEquals(family, files.families().get(0).family());
    assertNull(files.families().get(0).files().get(0).reference());
    assertArrayEquals(new byte[] {-1}, files.families().get(0).files().get(1).reference());
  }

  @Test
  void aKeyThatIsNotKnownIsNotLookedAt() {
    assertEquals(
        new OpenReport(1, 2),
        EngineJson.read("{\"openSeqNum\":1,\"replayedEdits\":2,\"new\":{}}", OpenReport.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"openSeqNum\":1}",
        "{\"openSeqNum\":1,\"replayedEdits\":null}",
        "{\"openSeqNum\":1,\"replayedEdits\":\"many\"}",
        "[]",
        "{"
      })
  void aReplyWithoutAComponentIsAnError(String reply) {
    EngineException error =
        assertThrows(EngineException.class, () -> EngineJson.read(reply, OpenReport.class));
    assertEquals(ErrorKind.BUG, error.kind());
    assertTrue(error.getMessage().startsWith("the engine's OpenReport cannot be read"));
  }

  @Test
  void eventsAreRead() {
    assertEquals(
        List.of(new EngineEvent(EngineEvent.Level.WARN, "stall", "slow {}")),
        EngineJson.readAll(
            "[{\"level\":\"WARN\",\"topic\":\"stall\",\"text\":\"slow {}\"}]", EngineEvent.class));
    assertThrows(
        EngineException.class,
        () ->
            EngineJson.readAll(
                "[{\"level\":\"LOUD\",\"topic\":\"a\",\"text\":\"b\"}]", EngineEvent.class));
  }
}
