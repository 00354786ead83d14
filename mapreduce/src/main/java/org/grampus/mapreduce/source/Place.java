package org.grampus.mapreduce.source;

import java.util.Locale;

/**
 * Where a record is, as a message or a list of bad records says it.
 *
 * @param file that has the record
 * @param unit that is counted
 * @param number of the unit; lines, rows and records are counted from 1
 */
public record Place(String file, Unit unit, long number) {
  /** What can be counted from the beginning of a file. */
  public enum Unit {
    /** A line, where a record begins. */
    LINE,
    /** A byte, where a record begins: in a split that is not a file's first one. */
    BYTE,
    /** A row, or a record, of a file. */
    RECORD,
    /** A byte, before the block that has the record. */
    BLOCK;

    /** The name, as a list of bad records has it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public String toString() {
    return file + ", " + (unit == Unit.BLOCK ? "block at byte" : unit) + " " + number;
  }
}
