package org.grampus.perf.migration;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class CompactionTest {
  private static final Compaction COMPACTION = new Compaction(null, TableName.valueOf("t"));

  @Test
  void aCompactionThatDropsNothingFails() {
    assertDoesNotThrow(() -> COMPACTION.requireFewer(7, 6));
    assertThrows(ToolException.class, () -> COMPACTION.requireFewer(7, 7));
  }
}
