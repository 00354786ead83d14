package org.grampus.perf.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class ResultTableTest {
  @Test
  void tableIsMarkdownWithAlignedColumns() {
    ResultTable table =
        new ResultTable("workload", "µs")
            .row("scan", "0.41")
            .row("sequentialWrite", ResultTable.cell("%.2f", 12.5));

    assertEquals(
        """
        | workload        |    µs |
        |-----------------|------:|
        | scan            |  0.41 |
        | sequentialWrite | 12.50 |""",
        table.toString());
  }

  @Test
  void rowOfAnotherWidthIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ResultTable("a", "b").row("1"));
  }
}
