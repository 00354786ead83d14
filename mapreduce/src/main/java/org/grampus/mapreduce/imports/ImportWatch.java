package org.grampus.mapreduce.imports;

import java.util.Locale;
import org.apache.hadoop.mapreduce.Counters;
import org.grampus.mapreduce.command.JobRun;

/** Shows how far an import is, and counts the bad records of all of its tasks. */
final class ImportWatch implements JobRun.Watch {
  private static final double MIB = 1 << 20;

  private final long badMax;
  private volatile long badRecords;

  ImportWatch(long badMax) {
    this.badMax = badMax;
  }

  @Override
  public String shown(Counters counters, double seconds) {
    ImportCounters so = ImportCounters.of(counters);
    return String.format(
        Locale.ROOT,
        " %,d rows, %,.0f MiB, %,.0f rows/s",
        so.rows(),
        so.bytes() / MIB,
        so.rows() / seconds);
  }

  @Override
  public boolean isLost(Counters counters) {
    badRecords = Math.max(badRecords, ImportCounters.of(counters).badRecords());
    return isLost();
  }

  /** Whether there are more bad records than there may be, as far as was seen. */
  boolean isLost() {
    return badRecords > badMax;
  }

  /** Bad records, as far as was seen. */
  long badRecords() {
    return badRecords;
  }
}
