package org.grampus.mapreduce.row;

/** Timestamps of cells. */
final class CellTime {
  private CellTime() {}

  /** The timestamp that a value says, in ms. */
  static long of(Object value, Times times) throws BadValueException {
    long millis = times.millis(value);
    if (millis < 0) {
      throw new BadValueException("a cell cannot be older than 1970: " + TextForm.shown(value));
    }
    return millis;
  }
}
