package org.grampus.perf.compare;

/**
 * How much data the tables of a comparison have.
 *
 * @param rows of 1 KB in a table of such rows
 * @param copies of the flights, whose {@code rows} make a copy unless there are fewer
 * @param overloadMemoryMb memory of a server that is given twice as much data, in MiB
 */
public record Sizes(long rows, int copies, long overloadMemoryMb) {
  /** Clients that load a table, and that make single calls. */
  public static final int CLIENTS = 4;

  /** Copies of the flights in tables that are not published. */
  public static final int COPIES = 3;

  private static final int WIDER = 50;
  private static final int FEWER = 10;

  /** Rows of ten columns of 100 bytes: fewer, since only their gets are measured. */
  long rowsOfTen() {
    return share(rows / 4);
  }

  /** Rows of a hundred columns of 100 bytes. */
  long wideRows() {
    return share(rows / WIDER);
  }

  /** Rows that increments, appends and checks change. */
  long atomicRows() {
    return share(rows / FEWER);
  }

  /** Records of YCSB's table. */
  long records() {
    return share(rows / 4);
  }

  /** As many as each client can have the same number of. */
  private static long share(long wanted) {
    return Math.max(wanted / CLIENTS, 1) * CLIENTS;
  }
}
