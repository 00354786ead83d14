package org.grampus.perf.migration;

import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/** The tables that migrate, one for each method of the first pass. */
@SuppressWarnings("ImmutableEnumChecker") // methods of copying have no fields
enum MigratedTable {
  /** Through files. */
  BY_EXPORT(new ExportedFiles(), new ExportedFiles(), false),
  /** From server to server. */
  BY_COPY(new CopiedCells(), new CopiedCells(), false),
  /**
   * A snapshot first. Its application writes into the past, where no later pass looks: {@code
   * SyncTable} carries that over. A snapshot of Grampus is for nobody else, so the way back is
   * without.
   */
  BY_SNAPSHOT(new CopiedSnapshot(), new CopiedCells(), true);

  private final CopyMethod firstPassBy;
  private final CopyMethod laterPassesBy;
  private final boolean writesIntoThePast;

  MigratedTable(CopyMethod firstPassBy, CopyMethod laterPassesBy, boolean writesIntoThePast) {
    this.firstPassBy = firstPassBy;
    this.laterPassesBy = laterPassesBy;
    this.writesIntoThePast = writesIntoThePast;
  }

  /** Its name on both sides. */
  TableName table() {
    return TableName.valueOf(name().toLowerCase(Locale.ROOT));
  }

  /** The method of its first pass from a stock HBase. */
  CopyMethod firstPassBy() {
    return firstPassBy;
  }

  /** The method of the passes after it, and of all on the way back. */
  CopyMethod laterPassesBy() {
    return laterPassesBy;
  }

  /** Whether its application writes and deletes cells with timestamps of the past. */
  boolean writesIntoThePast() {
    return writesIntoThePast;
  }
}
