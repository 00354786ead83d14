package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegionStatsReplyTest {
  private static final int MAJOR_AND_MINOR = 3;

  /** Two regions: one with a store, all numbers of which differ, and one that is empty. */
  private static byte[] reply() {
    ByteBuffer reply = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
    reply.putInt(2);
    reply.putInt(2).put(TestTable.bytes("ab"));
    for (long number = 1; number <= RegionStatsReply.Field.values().length; number++) {
      boolean state = number - 1 == RegionStatsReply.Field.COMPACTION_STATE.offset() / Long.BYTES;
      reply.putLong(state ? MAJOR_AND_MINOR : number == 1 ? 5_000_000_000L : number);
    }
    reply.putInt(1).putInt(1).put(TestTable.bytes("f"));
    reply.putLong(31).putLong(6_000_000_000L).putLong(33);
    reply.putInt(2).put(TestTable.bytes("cd"));
    reply.put(new byte[RegionStatsReply.Field.values().length * Long.BYTES]).putInt(0);
    return Arrays.copyOf(reply.array(), reply.position());
  }

  @Test
  void everyNumberOfTheEngineArrives() {
    Map<String, RegionStats> all = RegionStatsReply.read(reply());
    assertEquals(2, all.size());
    RegionStats stats = all.get("ab");
    RegionStats.Store store = stats.stores().get(0);
    assertEquals(
        new RegionStats(
            5_000_000_000L,
            2,
            8,
            9,
            10,
            new RegionStats.FileParts(3, 4, 5, 6, 7),
            new RegionStats.Readers(11, 12),
            new RegionStats.FileTimes(13, 14, 15),
            16,
            new RegionStats.Compaction(CompactionState.MAJOR_AND_MINOR, 17, 19, 20),
            new RegionStats.Compacted(21, 22, 23, 24),
            new RegionStats.Blooms(25, 26, 27),
            List.of(store)),
        stats);
    assertTrue(stats.hasReferences());
    assertArrayEquals(TestTable.bytes("f"), store.family());
    assertEquals(
        List.of(31L, 6_000_000_000L, 33L),
        List.of((long) store.files(), store.bytes(), store.flushedSequence()));
  }

  @Test
  void aRegionMayHaveNoStoreYet() {
    RegionStats empty = RegionStatsReply.read(reply()).get("cd");
    assertEquals(List.of(), empty.stores());
    assertFalse(empty.hasReferences());
  }

  @Test
  void aMissingByteIsAnError() {
    byte[] reply = reply();
    for (int length = 0; length < reply.length; length++) {
      byte[] part = Arrays.copyOf(reply, length);
      EngineException error =
          assertThrows(EngineException.class, () -> RegionStatsReply.read(part));
      assertEquals(ErrorKind.BUG, error.kind());
    }
  }
}
