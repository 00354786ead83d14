package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.grampus.compat.suite.target.ServerKind;
import org.junit.jupiter.api.Test;

final class JobTablesTest {
  private static final JobTables TABLES =
      new JobTables(1_000_000, 4, 4, Compression.Algorithm.NONE);

  @Test
  void diskIsThatOfTheTablesThatAreFilled() {
    long rows = TABLES.diskBytes(ServerKind.HBASE, Set.of(JobTables.ROWS));
    long flights = TABLES.diskBytes(ServerKind.HBASE, Set.of(JobTables.FLIGHTS));
    assertTrue(rows >= 1_000 * TABLES.rowsOf(JobTables.ROWS), rows + " bytes");
    assertEquals(
        rows + flights,
        TABLES.diskBytes(ServerKind.HBASE, Set.of(JobTables.ROWS, JobTables.FLIGHTS)));
  }
}
