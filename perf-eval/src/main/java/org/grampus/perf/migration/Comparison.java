package org.grampus.perf.migration;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;
import org.grampus.perf.process.Expect;
import org.grampus.perf.process.TableDump;

/** Compares tables of two servers. It writes to neither. */
final class Comparison {
  private final Side source;
  private final Side target;

  Comparison(Side source, Side target) {
    this.source = source;
    this.target = target;
  }

  /**
   * Counts the rows of both sides with {@code RowCounter}.
   *
   * @throws ToolException unless both have the same number, and some
   */
  void compareRows(TableName table) throws ToolException, IOException, InterruptedException {
    long rows = rows(source, target, table);
    Expect.equal(table + " has rows on " + source, true, rows > 0);
    Expect.equal("rows of " + table + " on " + target, rows, rows(target, source, table));
  }

  private static long rows(Side side, Side other, TableName table)
      throws ToolException, IOException, InterruptedException {
    String said = side.run(other, "RowCounter", List.of(table.getNameAsString()));
    return new Counters(said).get("ROWS");
  }

  /**
   * Compares all versions that a client sees; returns how many cells that are.
   *
   * @throws ToolException at the first that differs, or when there is none
   */
  int compareVisible(TableName table, Predicate<Cell> which) throws ToolException, IOException {
    return requireSame(
        "cells of " + table, visible(source, table, which), visible(target, table, which));
  }

  private static Lines visible(Side side, TableName table, Predicate<Cell> which)
      throws IOException {
    return lines(side, all(side, table, false).stream().filter(which));
  }

  /**
   * Compares what a raw scan returns and nobody may drop before a major compaction; returns how
   * many cells that are.
   *
   * @throws ToolException at the first that differs, or when there is none
   */
  int compareRaw(TableName table, Predicate<Cell> which) throws ToolException, IOException {
    return requireSame(
        "raw cells of " + table, raw(source, table, which), raw(target, table, which));
  }

  private static Lines raw(Side side, TableName table, Predicate<Cell> which) throws IOException {
    return lines(side, RawCells.kept(all(side, table, true)).stream().filter(which));
  }

  /** All versions of all cells. */
  static List<Cell> all(Side side, TableName table, boolean raw) throws IOException {
    Scan scan = new Scan().readAllVersions().setRaw(raw).setCacheBlocks(false);
    return TableDump.cells(side.connection(), table, scan);
  }

  private static Lines lines(Side side, Stream<Cell> cells) {
    return new Lines(side.toString(), cells.map(TableDump::line).toList());
  }

  private static int requireSame(String what, Lines ofSource, Lines ofTarget) throws ToolException {
    Expect.equal("there are " + what, true, !ofSource.lines().isEmpty());
    ofSource.requireSame(what, ofTarget);
    return ofSource.lines().size();
  }
}
