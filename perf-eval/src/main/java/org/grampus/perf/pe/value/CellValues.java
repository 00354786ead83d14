package org.grampus.perf.pe.value;

import java.util.SplittableRandom;
import org.grampus.perf.pe.chance.Chance;

/**
 * The value of each cell. It follows from the seed, the row and the column alone, so that a later
 * run can tell whether what it reads is what was written. For any thread.
 *
 * @param profile what values are like
 * @param length how long they are
 * @param chance its seed
 */
public record CellValues(ValueProfile profile, ValueLength length, Chance chance) {
  /** The value of a cell. */
  public byte[] value(long row, int family, int column) {
    SplittableRandom numbers = chance.of(row).of(family).of(column).numbers();
    byte[] value = new byte[length.draw(numbers)];
    profile.fill(value, numbers);
    return value;
  }
}
