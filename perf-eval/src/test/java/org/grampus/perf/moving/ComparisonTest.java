package org.grampus.perf.moving;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final Counters SAME =
      new Counters("\t\tBATCHES=1\n\t\tHASHES_MATCHED=1\n\t\tBATCHES=9\n\t\tHASHES_MATCHED=9\n");
  private static final Counters DIFFERENT =
      new Counters("\t\tBATCHES=9\n\t\tHASHES_MATCHED=8\n\t\tHASHES_NOT_MATCHED=1\n");

  @Test
  void allHashesMustBeTheSame() {
    assertDoesNotThrow(() -> Comparison.requireSame(TABLE, SAME));
    assertThrows(ToolException.class, () -> Comparison.requireSame(TABLE, DIFFERENT));
  }

  @Test
  void nothingComparedIsNotTheSame() {
    assertThrows(ToolException.class, () -> Comparison.requireSame(TABLE, new Counters("")));
  }

  @Test
  void aDifferenceThatMustBeIsThere() {
    assertDoesNotThrow(() -> Comparison.requireDifference(TABLE, DIFFERENT));
    assertThrows(ToolException.class, () -> Comparison.requireDifference(TABLE, SAME));
  }
}
