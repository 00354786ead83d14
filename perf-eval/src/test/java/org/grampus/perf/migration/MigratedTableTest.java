package org.grampus.perf.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import org.junit.jupiter.api.Test;

final class MigratedTableTest {
  @Test
  void eachMethodHasItsTable() {
    assertInstanceOf(ExportedFiles.class, MigratedTable.BY_EXPORT.firstPassBy());
    assertInstanceOf(CopiedCells.class, MigratedTable.BY_COPY.firstPassBy());
    assertInstanceOf(CopiedSnapshot.class, MigratedTable.BY_SNAPSHOT.firstPassBy());
  }

  @Test
  void laterPassesNeedNoSnapshot() {
    assertInstanceOf(ExportedFiles.class, MigratedTable.BY_EXPORT.laterPassesBy());
    assertInstanceOf(CopiedCells.class, MigratedTable.BY_COPY.laterPassesBy());
    assertInstanceOf(CopiedCells.class, MigratedTable.BY_SNAPSHOT.laterPassesBy());
  }

  @Test
  void namesAreLowerCase() {
    assertEquals("by_export", MigratedTable.BY_EXPORT.table().getNameAsString());
  }
}
