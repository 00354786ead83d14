package org.grampus.perf.moving;

import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/** The tables that move, each in its own way. */
enum MovingTable {
  /** Through files. */
  EXPORTED,
  /** From server to server. */
  COPIED,
  /**
   * A snapshot first. Its application writes into the past, where no later pass looks: what is
   * missed is repaired at the end.
   */
  REPAIRED;

  /** Its name on both sides. */
  TableName table() {
    return TableName.valueOf(name().toLowerCase(Locale.ROOT));
  }

  /** How its first pass goes from a stock HBase; Grampus's snapshots are for nobody else. */
  Way bulk() {
    return this == REPAIRED ? new CopiedSnapshot() : since();
  }

  /** How the passes go after it, and those of the way back. */
  Way since() {
    return this == EXPORTED ? new ExportedFiles() : new CopiedCells();
  }

  /** Whether the application writes and deletes cells of timestamps that have passed. */
  boolean hasPastWrites() {
    return this == REPAIRED;
  }
}
