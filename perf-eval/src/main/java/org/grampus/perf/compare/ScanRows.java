package org.grampus.perf.compare;

import static org.grampus.perf.compare.Row.Aftermath.MEASURED_ONCE;
import static org.grampus.perf.compare.Row.Aftermath.NONE;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.grampus.perf.compare.PeTable.Shape;

/** Rows of scans over whole tables, and of the size of a table. */
final class ScanRows {
  private static final double HALF = 0.5;
  private static final double TWO_FIFTHS = 0.4;
  private static final double QUARTER = 0.25;
  private static final double FIFTH = 0.2;
  private static final double TENTH = 0.1;
  private static final double TWENTIETH = 0.05;
  private static final double THREE_HUNDREDTHS = 0.03;

  private ScanRows() {}

  /** Scans of rows of 1 KB. */
  static List<Row> rows(PeTable compacted) {
    PeTable layers = PeTable.of("Layers", Sizes::rows, Shape.LAYERED);
    PeTable snappy = PeTable.of("Snappy", Sizes::rows, Shape.COMPACTED, "--compress=SNAPPY");
    return List.of(
        scan(HALF, "scan", "rows of 1 KB, one file, cached", compacted),
        scan(QUARTER, "scan-layers", "the same over a memtable and three files", layers),
        scan(HALF, "scan-snappy", "the same from one file in SNAPPY", snappy));
  }

  private static Row scan(double part, String name, String what, PeTable table) {
    return Row.within(part, name, what, PeWork.scans(table, "--caching=1000"), NONE);
  }

  /** Scans of all columns of rows of a hundred, as many bytes per call as of rows of 1 KB. */
  static List<Row> wide(PeTable compacted) {
    PeTable layers = CallRows.wide("WideLayers", Shape.LAYERED);
    return List.of(
        wide("scan-wide", "rows of 100 columns of 100 B, one file, cached", compacted),
        wide("scan-wide-layers", "the same over a memtable and three files", layers));
  }

  private static Row wide(String name, String what, PeTable table) {
    PeWork scans = PeWork.scans(table, "--caching=100", "--addColumns=false");
    return Row.within(TWO_FIFTHS, name, what, scans, NONE);
  }

  /** Scans of the flights. */
  static List<Row> flights() {
    FlightTable table = new FlightTable("flights", FlightCodec.SNAPPY, true);
    return List.of(
        flights(TWENTIETH, "flights-column", "one column of 19", table, "--columns=f:dest"),
        flights(
            TENTH,
            "flights-filter",
            "a filter that keeps 5 % of the rows",
            table,
            "--filter=SingleColumnValueFilter('f','dest',=,'binary:LAX')"),
        flights(
            THREE_HUNDREDTHS,
            "flights-rare",
            "a filter that keeps 1.6 % of the rows",
            table,
            "--filter=SingleColumnValueFilter('f','distance',=,'binary:944')"),
        flights(FIFTH, "flights-all", "all 19 columns", table));
  }

  private static Row flights(
      double part, String name, String what, FlightTable table, String... options) {
    return new Row(
        name,
        "flights in SNAPPY: " + what,
        Optional.of(table),
        new FlightWork(table, List.of(options)),
        NONE,
        Optional.of(Goal.cpu(part)));
  }

  /** The size of the flights. */
  static List<Row> disk() {
    return Stream.of(FlightCodec.values()).map(ScanRows::disk).toList();
  }

  private static Row disk(FlightCodec codec) {
    FlightTable table = new FlightTable("flights_" + codec, codec, false);
    return new Row(
        "disk-" + codec.name().toLowerCase(Locale.ROOT),
        "bytes on disk of the flights, " + codec,
        Optional.of(table),
        new FlightWork(table, List.of()),
        MEASURED_ONCE,
        Optional.of(Goal.parquet(codec.parquetBytes())));
  }
}
