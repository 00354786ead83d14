package org.grampus.perf.command;

import java.util.List;

/** The works of {@link Jobs}, by the names of its command line. */
enum KnownWork {
  /** Few large cells. */
  ROWS(new JobWork("rows of 1 KB", JobTables.ROWS, List.of(), "", "")),
  /** Many small cells. */
  FLIGHTS(new JobWork("flights", JobTables.FLIGHTS, List.of(), "", "")),
  /** One of 19 columns. */
  COLUMN(new JobWork("one column of flights", JobTables.FLIGHTS, List.of("f:dest"), "", "")),
  /** A filter that keeps 1.2 % of the rows. */
  PLACE(
      new JobWork(
          "flights to one place",
          JobTables.FLIGHTS,
          List.of(),
          "SingleColumnValueFilter('f','dest',=,'binary:SEA')",
          "f_dest = CAST('SEA' AS BINARY)"));

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts and lists that nothing changes
  private final JobWork work;

  KnownWork(JobWork work) {
    this.work = work;
  }

  /** What it reads. */
  JobWork work() {
    return work;
  }
}
