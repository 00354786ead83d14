package org.grampus.perf.compare;

import static org.grampus.perf.compare.Row.Aftermath.BACKGROUND_WORK;
import static org.grampus.perf.compare.Row.Aftermath.FLUSHED;
import static org.grampus.perf.compare.Row.Aftermath.NONE;

import java.util.List;
import org.grampus.perf.compare.PeTable.Shape;

/** Rows of single calls, and of puts in batches. */
final class CallRows {
  private static final double QUARTER = 0.25;
  private static final double THREE_TENTHS = 0.3;

  /** What a get, and a write of one call, may take beyond an echo, in µs. */
  private static final double READ_MICROS = 6;

  private static final double WRITE_MICROS = 8;

  private static final String[] TEN_OF_100_BYTES = {"--columns=10", "--valueSize=100"};
  private static final String[] HUNDRED_OF_100_BYTES = {"--columns=100", "--valueSize=100"};

  private CallRows() {}

  /** Rows that write: their table grows, so that they come first or have one of their own. */
  static List<Row> writes() {
    PeTable writes = PeTable.of("Writes", Sizes::rows, Shape.WRITTEN);
    return List.of(
        Row.within(
            QUARTER,
            "put-batched",
            "puts of 1 KB in batches of 2 MiB, flush included",
            PeWork.batches(writes, "sequentialWrite"),
            FLUSHED),
        Row.within(
                QUARTER,
                "put",
                "durable puts of 1 KB, one per call",
                PeWork.calls(writes, "randomWrite", "--autoFlush=true"),
                BACKGROUND_WORK)
            .orAboveEcho(WRITE_MICROS));
  }

  /** Rows that read and write in one. */
  static List<Row> atomic() {
    PeTable atomic = PeTable.of("Atomic", Sizes::atomicRows, Shape.WRITTEN);
    return List.of(
        atomic("increment", "increments", atomic, "increment"),
        atomic("append", "appends", atomic, "append"),
        atomic("check-and-put", "conditional puts", atomic, "checkAndPut"));
  }

  private static Row atomic(String name, String what, PeTable table, String test) {
    return Row.within(QUARTER, name, what, PeWork.calls(table, test), BACKGROUND_WORK)
        .orAboveEcho(WRITE_MICROS);
  }

  /** Rows that read a table of one file from the cache. */
  static List<Row> reads(PeTable rows) {
    return List.of(
        read(QUARTER, "get", "gets of 1 KB, one column", rows).orAboveEcho(READ_MICROS),
        read(THREE_TENTHS, "multi-get", "the same, ten per call; by row", rows, "--multiGet=10"),
        Row.within(
            THREE_TENTHS,
            "range",
            "scans of 100 rows of 1 KB; by scan",
            PeWork.calls(rows, "scanRange100", "--caching=100"),
            NONE));
  }

  /** A table of rows of a hundred columns. */
  static PeTable wide(String name, Shape shape) {
    return PeTable.of(name, Sizes::wideRows, shape, HUNDRED_OF_100_BYTES);
  }

  /** Gets of many columns; those of a hundred columns come last. */
  static List<Row> columns(PeTable wide) {
    PeTable ten = PeTable.of("Ten", Sizes::rowsOfTen, Shape.COMPACTED, TEN_OF_100_BYTES);
    return List.of(
        read(QUARTER, "get-ten", "gets of ten columns of 100 B", ten, "--addColumns=false"),
        read(QUARTER, "get-ten-named", "the same, each column named", ten),
        read(QUARTER, "get-ten-of-100", "ten named columns of 100", wide, "--columns=10"));
  }

  private static Row read(double part, String name, String what, PeTable table, String... options) {
    return Row.within(part, name, what, PeWork.calls(table, "randomRead", options), NONE);
  }
}
