package org.grampus.perf.compare;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.grampus.perf.compare.PeTable.Shape;

/**
 * Gets of rows of ten bytes whose processor time must not grow with the number of rows, of regions
 * and of connections.
 */
final class FlatRows {
  /** What their names begin with, and what {@code --only} calls all of them. */
  static final String NAME = "flat";

  private static final double CPU_RATIO_MAX = 1.15;
  private static final String BY_ROWS = NAME + "-rows-";
  private static final String BY_REGIONS = NAME + "-regions-";
  private static final String BY_CONNECTIONS = NAME + "-connections-";

  /** Times the rows of the other tables. */
  private static final int FEW = 1;

  private static final int MANY = 10;
  private static final int MOST_ROWS = 100;

  private FlatRows() {}

  /** Whether a row is one of them. */
  static boolean has(Row row) {
    return row.name().startsWith(NAME + "-");
  }

  /** Whether its table takes long to load. */
  static boolean isLong(Row row) {
    return row.name().equals(BY_ROWS + MOST_ROWS);
  }

  /** Those on the first table, which others are compared with, come first. */
  static List<Row> all() {
    PeTable first = table("Flat", FEW);
    return Stream.of(
            Stream.of(
                row(BY_ROWS + FEW, "in one region, 4 connections", first, Sizes.CLIENTS, null)),
            IntStream.of(1, 50, 500).mapToObj(connections -> connected(first, connections)),
            IntStream.of(100, 1000).mapToObj(FlatRows::divided),
            IntStream.of(MANY, MOST_ROWS).mapToObj(FlatRows::longer))
        .flatMap(rows -> rows)
        .toList();
  }

  private static Row connected(PeTable table, int connections) {
    return row(
        BY_CONNECTIONS + connections,
        "over " + connections + " connections",
        table,
        connections,
        connections == 1 ? null : BY_CONNECTIONS + 1);
  }

  private static Row divided(int regions) {
    PeTable table = table("FlatRegions" + regions, FEW, "--presplit=" + regions);
    String what = "in " + regions + " regions";
    return row(BY_REGIONS + regions, what, table, Sizes.CLIENTS, BY_ROWS + FEW);
  }

  private static Row longer(int times) {
    PeTable table = table("FlatRows" + times, times);
    String what = "of " + times + " times as many";
    return row(BY_ROWS + times, what, table, Sizes.CLIENTS, BY_ROWS + FEW);
  }

  private static PeTable table(String name, int times, String... options) {
    List<String> all = Stream.concat(Stream.of("--valueSize=10"), Stream.of(options)).toList();
    return new PeTable(name, sizes -> times * sizes.rows(), all, Shape.COMPACTED);
  }

  private static Row row(String name, String what, PeTable table, int connections, String first) {
    return new Row(
        name,
        "gets of rows of 10 B " + what,
        Optional.of(table),
        new FlatWork(table, connections),
        Row.Aftermath.NONE,
        Optional.ofNullable(first).map(other -> Goal.flat(CPU_RATIO_MAX, other)));
  }
}
