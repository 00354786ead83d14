package org.grampus.perf.migration;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;
import org.junit.jupiter.api.Test;

final class SyncTableRunTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final Counters SAME =
      new Counters("\t\tBATCHES=1\n\t\tHASHES_MATCHED=1\n\t\tBATCHES=9\n\t\tHASHES_MATCHED=9\n");
  private static final Counters DIFFERENT =
      new Counters(
          "\t\tBATCHES=9\n\t\tHASHES_MATCHED=8\n\t\tHASHES_NOT_MATCHED=1\n\t\tSOURCEMISSINGCELLS=2\n");

  @Test
  void allHashesMustBeTheSame() {
    assertDoesNotThrow(() -> SyncTableRun.requireSame(TABLE, SAME));
    assertThrows(ToolException.class, () -> SyncTableRun.requireSame(TABLE, DIFFERENT));
  }

  @Test
  void nothingComparedIsNotTheSame() {
    assertThrows(ToolException.class, () -> SyncTableRun.requireSame(TABLE, new Counters("")));
  }

  @Test
  void aComparisonThatFindsNothingFails() {
    assertDoesNotThrow(() -> SyncTableRun.requireDifference(TABLE, DIFFERENT));
    assertThrows(ToolException.class, () -> SyncTableRun.requireDifference(TABLE, SAME));
  }
}
